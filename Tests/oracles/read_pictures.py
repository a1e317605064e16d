"""Says what Pillow sees in pictures: a hash of every frame's pixels, the profile, how often it repeats, and which way EXIF says is up."""

import hashlib
import json
import sys

import pillow_heif
from PIL import Image, ImageFile, ImageSequence

pillow_heif.register_heif_opener()


def digest(data):
    return hashlib.sha256(data).hexdigest()


def seen(path):
    try:
        with Image.open(path) as picture:
            frames = [[frame.mode, frame.size, frame.info.get("duration"), digest(frame.tobytes())] for frame in ImageSequence.Iterator(picture)]
            profile = picture.info.get("icc_profile")
            orientation = picture.getexif().get(0x0112, 1)
            density = picture.info.get("dpi") if picture.format == "PNG" else None
            return {
                "frames": frames, "profile": profile and digest(profile), "loop": picture.info.get("loop"), "orientation": orientation,
                "density": density, "transparency": repr(picture.info.get("transparency")),
            }
    except Exception as error:  # What cannot be decoded is an answer too.
        return {"error": type(error).__name__}


if __name__ == "__main__":
    arguments = sys.argv[1:]
    # With damaged pictures: what decoders show of them, instead of that they are damaged.
    ImageFile.LOAD_TRUNCATED_IMAGES = "--lenient" in arguments
    print(json.dumps([seen(path) for path in arguments if path != "--lenient"]))
