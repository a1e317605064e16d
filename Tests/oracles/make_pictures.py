"""Makes the pictures that the tests of stripping take apart: every format, with all that cameras and programs write beside the pixels."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pillow_heif
from PIL import Image, ImageCms, PngImagePlugin

pillow_heif.register_heif_opener()

PLACE = [
    "-GPSLatitude=48.137", "-GPSLatitudeRef=N", "-GPSLongitude=11.575", "-GPSLongitudeRef=E",
    "-Make=Hearthcam", "-Model=Ember 7", "-EXIF:SerialNumber=SN-4711", "-LensModel=Glow 50", "-DateTimeOriginal=2024:05:01 12:30:00",
    "-EXIF:ImageDescription=at home", "-XMP:Creator=Somebody", "-XMP-exif:GPSLatitude=48.137", "-XMP-aux:SerialNumber=SN-4711",
]


def drawing(width=97, height=61, mode="RGB", shift=0):
    """A picture without symmetry, so that a turn or a cut shows."""
    picture = Image.new("RGB", (width, height))
    picture.putdata([((x * 5 + shift) % 256, (y * 7) % 256, (x * y + shift * 3) % 256) for y in range(height) for x in range(width)])
    return picture.convert(mode)


def exif_of(orientation):
    exif = Image.Exif()
    exif[0x0112] = orientation
    exif[0x010F] = "Hearthcam"
    return exif.tobytes()


def tag(paths, *tags):
    subprocess.run(["exiftool", "-q", "-q", "-overwrite_original", *tags, *map(str, paths)], check=True)


def make(folder):
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    names = []
    # exiftool takes longer to start than to work, so it is given all pictures of a kind at once.
    kinds = {}

    def save(name, picture, *more, **options):
        picture.save(folder / name, **options)
        kinds.setdefault(more, []).append(folder / name)
        names.append(name)

    iptc = ["-IPTC:Keywords=home", "-IPTC:City=Munich", "-Comment=hello"]
    for orientation in range(1, 9):
        save(f"turned-{orientation}.jpg", drawing(), *iptc, exif=exif_of(orientation), icc_profile=profile, quality=90)
    save("progressive.jpg", drawing(), *iptc, exif=exif_of(6), progressive=True, restart_marker_blocks=4)
    save("cmyk.jpg", drawing(mode="CMYK"), *iptc, icc_profile=profile)
    save("grey.jpg", drawing(mode="L"), *iptc, exif=exif_of(3))
    preview = io.BytesIO()
    drawing(16, 16).save(preview, "JPEG")
    (folder / "preview.bin").write_bytes(preview.getvalue())
    save("preview.jpg", drawing(), f"-ThumbnailImage<={folder / 'preview.bin'}", exif=exif_of(8))

    text = PngImagePlugin.PngInfo()
    text.add_text("Comment", "made at home")
    text.add_text("Description", "made at home " * 40, zip=True)
    text.add_itxt("Title", "zu Hause", lang="de")
    save("turned.png", drawing(mode="RGBA"), "-PNG:ModifyDate=2024:05:01 12:30:00", exif=exif_of(6), icc_profile=profile, pnginfo=text, dpi=(300, 300))
    save("straight.png", drawing(mode="P"), "-PNG:ModifyDate=2024:05:01 12:30:00", transparency=3, pnginfo=text)
    frames = [drawing(mode="RGBA", shift=40 * index) for index in range(3)]
    save("moving.png", frames[0], save_all=True, append_images=frames[1:], duration=80, loop=0, exif=exif_of(6))

    save("lossy.webp", drawing(), exif=exif_of(6), icc_profile=profile, quality=80)
    save("lossless.webp", drawing(mode="RGBA"), exif=exif_of(1), lossless=True)
    save("moving.webp", frames[0], save_all=True, append_images=frames[1:], duration=80, loop=0, exif=exif_of(8))

    flat = [frame.convert("P") for frame in frames]
    flat[0].save(folder / "moving.gif", save_all=True, append_images=flat[1:], duration=80, loop=0, comment=b"made at home")
    tag([folder / "moving.gif"], "-XMP:Creator=Somebody", "-XMP-exif:GPSLatitude=48.137")
    names.append("moving.gif")

    save("turned.avif", drawing(96, 64), exif=exif_of(6), icc_profile=profile, quality=80)
    save("turned.heic", drawing(96, 64), exif=exif_of(6), quality=80)
    xmp = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" dc:source="at home"/></rdf:RDF></x:xmpmeta>'
    located = Image.Exif()
    located[0x010F] = "Hearthcam"
    located.get_ifd(0x8825)[1] = "N"
    located.get_ifd(0x8825)[2] = (48.0, 8.0, 13.0)
    # exiftool does not write into sequences, so these two have only what Pillow wrote.
    drawing(96, 64).save(folder / "fresh.heic", exif=located.tobytes(), xmp=xmp)
    drawing(96, 64).save(folder / "moving.avif", save_all=True, append_images=[drawing(96, 64, shift=90)], duration=80, exif=located.tobytes(), xmp=xmp)
    names += ["fresh.heic", "moving.avif"]
    for more, paths in kinds.items():
        tag(paths, *PLACE, *more)
    return names


if __name__ == "__main__":
    print(json.dumps(make(Path(sys.argv[1]))))
