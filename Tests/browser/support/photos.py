"""Makes pictures that look and weigh like photos, with what cameras write into them, so that tests share what people share."""

import datetime
import io
import math
import pathlib
import random
import struct
import zlib

import pillow_heif
from PIL import Image, ImageChops, ImageDraw, ImageFilter

pillow_heif.register_heif_opener()

CAMERAS = [("Canon", "Canon EOS R6"), ("NIKON CORPORATION", "NIKON Z 6"), ("SONY", "ILCE-7M3"), ("Google", "Pixel 8"), ("FUJIFILM", "X-T5"), ("samsung", "SM-S918B")]
MAKE, MODEL, ORIENTATION, DATE, EXIF_IFD, GPS_IFD = 271, 272, 274, 306, 34665, 34853
DATE_ORIGINAL, OFFSET_ORIGINAL = 36867, 36881

# What a decoder must do to an image stored under each orientation, undone: how to store an upright image so.
STORED = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


def cloudy(source, size, octaves=5):
    """Noise at several scales, one octave upon the other: the texture of clouds, hills and water."""
    total = Image.new("L", size, 128)
    for octave in range(octaves):
        cells = 3 * 2**octave
        small = Image.frombytes("L", (cells, cells), source.randbytes(cells * cells))
        layer = small.resize(size, Image.Resampling.BICUBIC)
        total = Image.blend(total, layer, 0.5 ** (octave + 1) if octave else 0.5)
    return total


def between(first, second, mask):
    """Goes from one colour to another as the mask says."""
    return Image.composite(Image.new("RGB", mask.size, second), Image.new("RGB", mask.size, first), mask)


def landscape(seed, size):
    """A sky, a sun, hills one behind the other, and the noise of a sensor. The same seed gives the same picture."""
    source = random.Random(seed)
    full, size = size, (size[0] // 2, size[1] // 2)
    width, height = size
    hue = source.random()
    tint = lambda h, light: tuple(int(255 * max(0.0, min(1.0, light * (0.72 + 0.28 * math.cos(2 * math.pi * (h - third / 3)))))) for third in range(3))
    sky = between(tint(hue, 0.95), tint(hue + 0.12, 0.55), Image.linear_gradient("L").resize(size))
    picture = Image.composite(Image.new("RGB", size, (245, 245, 240)), sky, cloudy(source, size).point(lambda v: max(0, v - 110) * 2))
    draw = ImageDraw.Draw(picture)
    x, y, radius = source.uniform(0.15, 0.85) * width, source.uniform(0.1, 0.35) * height, 0.04 * width
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=(255, 250, 225))
    for ridge in range(4):
        line = height * (0.42 + 0.14 * ridge)
        waves = [(source.uniform(0.5, 4), source.uniform(0, 6), source.uniform(0.01, 0.06) * height) for _ in range(4)]
        points = [(px, line + sum(a * math.sin(f * 6.28 * px / width + p) for f, p, a in waves)) for px in range(0, width + 16, 16)]
        shape = Image.new("L", size, 0)
        ImageDraw.Draw(shape).polygon([*points, (width, height), (0, height)], fill=255)
        ground = between(tint(hue + 0.3 + 0.05 * ridge, 0.5 - 0.08 * ridge), tint(hue + 0.4, 0.28), cloudy(source, size, 6))
        picture.paste(ground, mask=shape)
    noise = Image.frombytes("L", full, source.randbytes(full[0] * full[1])).filter(ImageFilter.BoxBlur(0.4)).point(lambda v: 128 + (v - 128) // (3 + seed % 3))
    grain = Image.merge("RGB", (noise, ImageChops.offset(noise, 97, 31), ImageChops.offset(noise, 13, 201)))
    return ImageChops.add(picture.resize(full, Image.Resampling.BICUBIC), grain, scale=1.0, offset=-128)


def camera_data(seed, orientation=1):
    """What a camera writes: maker, model, time, place, orientation."""
    source = random.Random(seed)
    exif = Image.Exif()
    exif[MAKE], exif[MODEL] = source.choice(CAMERAS)
    exif[ORIENTATION] = orientation
    taken = datetime.datetime(2023, 6, 1, 9, 0) + datetime.timedelta(minutes=source.randrange(500_000))
    exif[DATE] = taken.strftime("%Y:%m:%d %H:%M:%S")
    exif.get_ifd(EXIF_IFD)[DATE_ORIGINAL] = exif[DATE]
    exif.get_ifd(EXIF_IFD)[OFFSET_ORIGINAL] = "+02:00"
    exif.get_ifd(GPS_IFD).update({1: "N", 2: (47.0, float(source.randrange(60)), 30.0), 3: "E", 4: (8.0, float(source.randrange(60)), 12.5), 5: b"\x00", 6: 412.0})
    return exif


def write_photo(path, seed, orientation=1, size=(3648, 2736), quality=92):
    """A JPEG of 2 to 6 MB, upright once its orientation is applied."""
    picture = landscape(seed, size)
    if STORED[orientation] is not None:
        picture = picture.transpose(STORED[orientation])
    picture.save(path, "JPEG", quality=quality, exif=camera_data(seed, orientation))
    return pathlib.Path(path)


def photos(folder, count, seed=0):
    """`count` photos that differ in size, camera, date and orientation. Made once for a folder, then reused."""
    folder.mkdir(parents=True, exist_ok=True)
    sizes = [(3648, 2736), (4000, 2667), (3264, 2448), (3840, 2160), (3024, 4032)]
    made = []
    for n in range(count):
        path = folder / f"DSC_{seed + n:04d}.jpg"
        if not path.exists():
            partial = path.with_suffix(".partial")
            write_photo(partial, seed + n, orientation=n % 8 + 1, size=sizes[n % len(sizes)], quality=93 + n % 3)
            partial.rename(path)
        made.append(path)
    return made


def corners(size=(640, 480)):
    """Red above left, green above right, blue below left, white below right: shows which way up a picture is."""
    width, height = size
    picture = Image.new("RGB", size)
    for place, colour in {(0, 0): (220, 30, 30), (1, 0): (30, 180, 30), (0, 1): (30, 30, 220), (1, 1): (245, 245, 245)}.items():
        left, top = place[0] * width // 2, place[1] * height // 2
        picture.paste(colour, (left, top, left + width // 2, top + height // 2))
    return picture


def write_corners(path, orientation, form="JPEG"):
    """A small picture of four colours, stored under an orientation; upright it is wider than high."""
    picture = corners()
    if STORED[orientation] is not None:
        picture = picture.transpose(STORED[orientation])
    picture.save(path, form, quality=92, exif=camera_data(orientation, orientation))
    return pathlib.Path(path)


def write_raw(path, orientation=6):
    """A RAW file as many cameras build it: a TIFF whose first directory names the camera and which way is up, with a large JPEG and the sensor's values in directories below."""
    picture = corners((1600, 1200)).transpose(STORED[orientation]) if STORED[orientation] is not None else corners((1600, 1200))
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=90)
    developed, sensor = buffer.getvalue(), random.Random(9).randbytes(6_000)
    make, model = b"Hearth Optics\0", b"Raw One\0"
    tables = [[(271, 2, make), (272, 2, model), (274, 3, orientation), (330, 4, (1, 2)), (50706, 1, b"\1\4\0\0")],
              [(254, 4, 0), (256, 4, 100), (257, 4, 60), (258, 3, 8), (259, 3, 1), (262, 3, 32803), (273, 4, sensor), (277, 3, 1), (279, 4, len(sensor))],
              [(254, 4, 1), (256, 4, picture.width), (257, 4, picture.height), (259, 3, 7), (262, 3, 6), (273, 4, developed), (279, 4, len(developed))]]
    at, places = 8, []
    for table in tables:
        places.append(at)
        at += 2 + 12 * len(table) + 4
    rows, tail = b"", b""
    for table in tables:
        rows += struct.pack("<H", len(table))
        for tag, kind, value in table:
            if isinstance(value, tuple):
                value, count = struct.pack("<2I", *(places[n] for n in value)), 2
            elif isinstance(value, bytes):
                count = 1 if tag == 273 else len(value)
            else:
                value, count = struct.pack("<I", value), 1
            if len(value) > 4:
                value, tail = struct.pack("<I", at + len(tail)), tail + value
            rows += struct.pack("<HHI", tag, kind, count) + value.ljust(4, b"\0")
        rows += struct.pack("<I", 0)
    pathlib.Path(path).write_bytes(struct.pack("<2sHI", b"II", 42, 8) + rows + tail)
    return pathlib.Path(path)


def write_formats(folder):
    """One picture in each format that people share. Keys: jpeg, png, webp, gif, avif, heic. Made once for a folder, then reused."""
    paths = {kind: folder / f"{kind}.{suffix}" for kind, suffix in {"jpeg": "jpg", "png": "png", "webp": "webp", "gif": "gif", "avif": "avif", "heic": "heic"}.items()}
    if all(path.exists() for path in paths.values()):
        return paths
    folder.mkdir(parents=True, exist_ok=True)
    picture = landscape(77, (1600, 1200))
    picture.save(paths["jpeg"], quality=88, exif=camera_data(77))
    picture.resize((800, 600)).save(paths["png"])
    picture.save(paths["webp"], quality=80)
    frames = [landscape(77 + n, (320, 240)).quantize(64) for n in range(4)]
    frames[0].save(paths["gif"], save_all=True, append_images=frames[1:], duration=200, loop=0)
    picture.save(paths["avif"], quality=60)
    # The last one: whoever finds it finds them all.
    picture.save(paths["heic"].with_suffix(".partial"), "HEIF", quality=60, exif=camera_data(77))
    paths["heic"].with_suffix(".partial").rename(paths["heic"])
    return paths


def chunk(kind, content):
    """A piece of a PNG."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def write_exact(path, length, seed=5):
    """A picture of noise as a PNG of exactly `length` bytes, all of them the picture's own: nothing that could be taken out."""
    width, stored = 2_000, 65_535
    row = 1 + 3 * width
    head = b"\x89PNG\r\n\x1a\n"
    packed = lambda raw: 2 + raw + 5 * -(-raw // stored) + 4
    height = 1
    while len(head) + 25 + 12 + packed((height + 1) * row) + 12 + 44 <= length:
        height += 1
    # Deflate without compression, so that the length is known; what is left over is filled by blocks of nothing (5) and pieces of nothing (12).
    rest = length - len(head) - 25 - 12 - packed(height * row) - 12
    blocks = next(n for n in range(12) if (rest - 5 * n) % 12 == 0)
    pieces = (rest - 5 * blocks) // 12
    source, noise = random.Random(seed), random.Random(seed).randbytes(3 * width)
    raw = b"".join(b"\0" + noise[shift:] + noise[:shift] for shift in (source.randrange(3 * width) for _ in range(height)))
    deflated = bytearray(b"\x78\x01" + b"\0\0\0\xff\xff" * blocks)
    for start in range(0, len(raw), stored):
        block = raw[start:start + stored]
        deflated += struct.pack("<BHH", start + stored >= len(raw), len(block), len(block) ^ 0xFFFF) + block
    deflated += struct.pack(">I", zlib.adler32(raw))
    with open(path, "wb") as file:
        file.write(head + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(b"IDAT", b"") * pieces + chunk(b"IDAT", bytes(deflated)) + chunk(b"IEND", b""))
    assert pathlib.Path(path).stat().st_size == length
    return pathlib.Path(path)


def write_decode_bomb(path, side=30_000):
    """A PNG of about a megabyte that asks for `side`² pixels."""
    squeeze = zlib.compressobj(9)
    rows = b"\x00" * (side + 1)
    data = b"".join(squeeze.compress(rows) for _ in range(side)) + squeeze.flush()
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)) + chunk(b"IDAT", data) + chunk(b"IEND", b""))
    return pathlib.Path(path)
