// SHA-256, of which the relay needs one thing: to keep a token's digest and not the token.

import COpenSSL

func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    var size: UInt32 = 0
    let done = EVP_Digest(bytes, bytes.count, &digest, &size, EVP_sha256(), nil)
    precondition(done == 1 && size == 32, "SHA-256 is part of every libcrypto")
    return digest
}
