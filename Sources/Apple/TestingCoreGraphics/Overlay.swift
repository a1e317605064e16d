// Swift Testing asks for an overlay of this name wherever it is imported beside CoreGraphics; on Linux there is nothing to overlay.
