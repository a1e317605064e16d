// RFC 8188 (`aes128gcm`): header, key schedule and the nonce of each record.

enum ContentEncoding {
    static func header(salt: [UInt8], recordSizeBytes: Int, keyID: [UInt8]) -> [UInt8] {
        var bytes = salt
        bytes.appendInteger(UInt32(recordSizeBytes))
        bytes.append(UInt8(keyID.count))
        return bytes + keyID
    }

    static func keyAndNonce(keyingMaterial: [UInt8], salt: [UInt8]) throws(SealingError) -> (key: SecretBytes, nonce: SecretBytes) {
        let secret = try HKDF.extract(salt: salt, SecretBytes(keyingMaterial))
        return (
            try HKDF.expand(secret, info: Array("Content-Encoding: aes128gcm\0".utf8), sizeBytes: keySizeBytes),
            try HKDF.expand(secret, info: Array("Content-Encoding: nonce\0".utf8), sizeBytes: nonceSizeBytes)
        )
    }
}
