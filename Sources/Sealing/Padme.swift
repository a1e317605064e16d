// Padmé: rounds a length up so that it tells only its leading bits, for at most 12 % more bytes.

func padmeSize(_ size: Int) -> Int {
    guard size > 1 else { return size }
    let exponent = Int.bitWidth - 1 - size.leadingZeroBitCount
    let significantBits = Int.bitWidth - exponent.leadingZeroBitCount
    let mask = 1 << (exponent - significantBits) - 1
    return (size + mask) & ~mask
}
