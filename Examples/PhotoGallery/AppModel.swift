// The gallery: photos of one's own, and, while there is a session, those of the others.

import CoreGraphics
import Foundation
import GroupActivities
import OSLog
import UniformTypeIdentifiers

@MainActor @Observable final class AppModel {
    let name: String
    var localImages: [DisplayImage] = []
    var sessionController: SessionController?
    /// Called for each photo of somebody else that has come.
    @ObservationIgnored var onImage: (DisplayImage) -> Void = { _ in }
    @ObservationIgnored private var observation: Task<Void, Never>?
    private let logger = Logger(subsystem: "org.hearth.photo-gallery", category: "model")

    init(name: String) {
        self.name = name
        observation = Task { [weak self] in await self?.observeGroupSessions() }
    }

    /// Starts the gallery, or joins the one that runs.
    func share() async {
        switch await PhotoShareActivity().prepareForActivation() {
        case .activationPreferred:
            do { _ = try await PhotoShareActivity().activate() } catch { logger.error("not shared: \(error.localizedDescription)") }
        case .activationDisabled, .cancelled: logger.log("the gallery stays on this device")
        @unknown default: break
        }
    }

    /// Adds a photo's file, and shares it if there is a session.
    func add(_ data: Data, name fileName: String, at date: Date = Date()) async {
        let type = UTType(filenameExtension: URL(filePath: fileName).pathExtension)
        let picture = CGImage(encodedData: data)
        let id = UUID().uuidString
        let details = PhotoDetails(
            photo: id, name: fileName, type: type?.preferredMIMEType ?? "", size: data.count, width: picture?.width ?? 0, height: picture?.height ?? 0, addedAt: date, owner: name)
        let image = DisplayImage(id: id, imageData: data, details: details)
        localImages.append(image)
        await sessionController?.addNewImage(image)
    }

    private func observeGroupSessions() async {
        for await session in PhotoShareActivity.sessions() {
            let controller = SessionController(session) { [weak self] in self?.onImage($0) }
            sessionController = controller
            Task.immediate { [weak self] in
                for await state in session.$state.values {
                    guard self?.sessionController?.session.id == session.id else { return }
                    if case .invalidated = state {
                        self?.sessionController = nil
                        return
                    }
                }
            }
            // Photos from before the session are shared when it starts.
            for image in localImages { await controller.addNewImage(image) }
        }
    }
}
