// RFC 9420's labelled functions: no two uses of a key can be confused, because each says in the bytes what it is for.

/// What stands before every label: the protocol's own, or another's when its vectors are checked.
struct Labels: Sendable {
    let prefix: String

    static let hearth = Labels(prefix: "Hearth1 ")
    /// RFC 9420's.
    static let mls = Labels(prefix: "MLS 1.0 ")

    /// `EWL`
    func expand(_ secret: SecretBytes, _ label: String, context: [UInt8] = [], sizeBytes: Int) throws(SealingError) -> SecretBytes {
        var info: [UInt8] = []
        info.appendInteger(UInt16(sizeBytes))
        info.appendVector((prefix + label).utf8)
        info.appendVector(context)
        return try HKDF.expand(secret, info: info, sizeBytes: sizeBytes)
    }

    /// `DS`
    func derive(_ secret: SecretBytes, _ label: String) throws(SealingError) -> SecretBytes {
        try expand(secret, label, sizeBytes: 32)
    }

    /// `RH`
    func refHash(_ label: String, _ value: [UInt8]) throws(SealingError) -> [UInt8] {
        try withBytes(of: framed(label, value)) { bytes throws(SealingError) in try sha256(bytes) }
    }

    /// What is hashed, or signed, in place of `value`.
    func framed(_ label: String, _ value: [UInt8]) -> [UInt8] {
        framing(label, valueSizeBytes: value.count) + value
    }

    /// What stands before a value of that size, so that the value need not be copied.
    func framing(_ label: String, valueSizeBytes: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendVector((prefix + label).utf8)
        bytes.appendVariableLengthInteger(valueSizeBytes)
        return bytes
    }
}
