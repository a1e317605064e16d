// What can be said of a representation: who sees it, when it applies, what its file is called.

/// A representation that applies to some items only. Apple: CoreTransferable/_ConditionalTransferRepresentation.
public struct _ConditionalTransferRepresentation<Base: TransferRepresentation>: TransferRepresentation, RouteSource {
    public typealias Item = Base.Item
    public typealias Body = Never
    let routes: [Route<Base.Item>]
}

/// A representation with changed properties.
struct ModifiedRepresentation<Item: Transferable>: TransferRepresentation, RouteSource {
    typealias Body = Never
    let routes: [Route<Item>]
}

extension TransferRepresentation {
    private func changed(_ change: (inout Route<Item>) -> Void) -> [Route<Item>] {
        Route.all(of: self).map { route in
            var route = route
            change(&route)
            return route
        }
    }

    /// Limits who is offered this representation.
    public func visibility(_ visibility: TransferRepresentationVisibility) -> some TransferRepresentation<Item> {
        ModifiedRepresentation(routes: changed { $0.visibility = visibility })
    }

    /// Exports by this representation only the items that satisfy the condition.
    public func exportingCondition(_ condition: @escaping @Sendable (Item) -> Bool) -> _ConditionalTransferRepresentation<Self> {
        _ConditionalTransferRepresentation(
            routes: changed { route in
                let before = route.condition
                route.condition = { before($0) && condition($0) }
            })
    }

    /// Names the file that the item becomes.
    public func suggestedFileName(_ fileName: String) -> some TransferRepresentation<Item> {
        ModifiedRepresentation(routes: changed { $0.fileName = { _ in fileName } })
    }

    public func suggestedFileName(_ fileName: @escaping @Sendable (Item) -> String?) -> some TransferRepresentation<Item> {
        ModifiedRepresentation(routes: changed { $0.fileName = fileName })
    }
}
