"""Makes landscapes that could be holiday photos, so that the pictures of the page show what it looks like in use."""

import dataclasses
import pathlib

import numpy as np
from PIL import Image, ImageFilter

TILE = 1024
FOCAL = 1.15
SLICES = 900


def spectral(source, slope):
    """A square of noise without seams whose waves weaken with their frequency; mean 0, deviation 1."""
    frequency = np.hypot(*np.meshgrid(np.fft.fftfreq(TILE), np.fft.fftfreq(TILE)))
    frequency[0, 0] = 1
    amplitude = frequency**-slope
    amplitude[0, 0] = 0
    noise = np.fft.ifft2(np.fft.fft2(source.standard_normal((TILE, TILE))) * amplitude).real
    return (noise - noise.mean()) / noise.std()


def sample(field, x, y):
    """The field at real places, between its points, over and over."""
    x0, y0 = np.floor(x), np.floor(y)
    u, v = (x - x0).astype(np.float32), (y - y0).astype(np.float32)
    x0, y0 = x0.astype(np.int64) % TILE, y0.astype(np.int64) % TILE
    x1, y1 = (x0 + 1) % TILE, (y0 + 1) % TILE
    above = field[y0, x0] * (1 - u) + field[y0, x1] * u
    below = field[y1, x0] * (1 - u) + field[y1, x1] * u
    return above * (1 - v) + below * v


def mix(a, b, share):
    share = np.clip(share, 0, 1)[..., None]
    return np.asarray(a, float) * (1 - share) + np.asarray(b, float) * share


def step(low, high, value):
    share = np.clip((value - low) / (high - low), 0, 1)
    return share * share * (3 - 2 * share)


@dataclasses.dataclass
class Scene:
    """Heights and distances in units of one point of the terrain; colours as shares of light."""

    name: str
    seed: int
    size: tuple = (1600, 1067)
    horizon: float = 0.46
    zenith: tuple = (0.16, 0.36, 0.72)
    haze: tuple = (0.72, 0.82, 0.92)
    sun: tuple = (0.3, 0.5)  # across, and above the horizon, in shares of the width
    sunlight: tuple = (1.25, 1.12, 0.95)
    ambient: tuple = (0.30, 0.38, 0.52)
    glow: float = 0.5
    clouds: float = 0.4
    cloud: tuple = (1.0, 0.98, 0.96)
    terrain: float = 60
    rough: float = 1.9
    ridged: float = 0.7
    eye: float = 34
    sea: float = -1000
    water: tuple = (0.02, 0.10, 0.14)
    ripple: float = 0.5
    low: tuple = (0.16, 0.22, 0.07)
    high: tuple = (0.34, 0.30, 0.26)
    snow: float = 1e9
    trees: float = 0
    fog: float = 900
    rows: float = 0
    bloom: tuple = (0.42, 0.30, 0.62)
    stars: float = 0
    near: float = 6
    rise: float = 0
    exposure: float = 1.0


def sky(scene, source, width, height, x, y):
    elevation = np.clip(y, 0, None)
    base = mix(scene.haze, scene.zenith, 1 - np.exp(-elevation * 3.2))
    across, above = scene.sun
    distance = np.hypot(x - across * 1.0, y - above)
    base = base + np.asarray(scene.sunlight) * (scene.glow * np.exp(-distance * 5))[..., None] + np.asarray(scene.sunlight) * (0.5 * scene.glow * np.exp(-distance * 16))[..., None]
    if scene.stars:
        field = source.random((height, width))
        bright = np.where(field > 0.9988, source.random((height, width)) ** 3 * 1.6, 0)
        band = np.exp(-((x * 0.8 - y + 0.15) * 5) ** 2)
        cloudy = sample(spectral(source, 1.4), (x + 3) * 260, (y + 3) * 260)
        base = base + (bright * (0.5 + band))[..., None] * np.array((0.95, 0.97, 1.1)) + (np.clip(band * (0.5 + 0.32 * cloudy), 0, 1) * 0.2 * scene.stars)[..., None] * np.array((0.9, 0.85, 1.15))
    if scene.clouds:
        field = spectral(source, 1.65)
        far = 1 / (elevation + 0.22)
        u, v = (x + 2) * far * 105, far * 120
        density = sample(field, u, v) + 0.25 * sample(field, u * 3.1, v * 3.1)
        towards = sample(field, u + across * 14, v + 9) + 0.25 * sample(field, u * 3.1 + 9, v * 3.1 + 9)
        cover = step(1.25 - 2.1 * scene.clouds, 2.5 - 2.1 * scene.clouds, density) * step(0.0, 0.09, elevation)
        lit = np.clip(0.72 + 0.22 * (density - towards), 0.35, 1.2)
        colour = np.asarray(scene.cloud) * lit[..., None] + np.asarray(scene.sunlight) * (0.35 * scene.glow * np.exp(-distance * 4) * lit)[..., None]
        base = base * (1 - 0.88 * cover[..., None]) + colour * 0.88 * cover[..., None]
    radius = 0.018
    return base + np.asarray(scene.sunlight) * (2.2 * step(radius * 1.25, radius * 0.85, distance))[..., None] * (scene.glow > 0.3)


def ground(scene, source):
    """The heights, with ridges where mountains are, and which way the sun finds them."""
    smooth = spectral(source, scene.rough)
    ridges = 1.5 - 2 * np.abs(spectral(source, scene.rough))
    height = scene.terrain * ((1 - scene.ridged) * smooth + scene.ridged * ridges) * 0.5
    if scene.trees:
        height = height + scene.trees * np.abs(spectral(source, 0.35)) * step(-2.2, 0.4, spectral(source, 1.7))
    slope_x = (np.roll(height, -1, 1) - np.roll(height, 1, 1)) / 2
    slope_z = (np.roll(height, -1, 0) - np.roll(height, 1, 0)) / 2
    across, above = scene.sun
    sun = np.array((across * 1.6, max(above, 0.12) * 1.5, 0.55))
    sun /= np.linalg.norm(sun)
    steep = 1 / np.sqrt(slope_x**2 + slope_z**2 + 1)
    light = np.clip((-slope_x * sun[0] + sun[1] - slope_z * sun[2] * 0.6) * steep, 0, 1)
    shade = np.ones_like(height)
    for far in range(2, 60, 3):
        shadow = np.roll(height, (-int(round(sun[2] * far)), -int(round(sun[0] * far))), (0, 1)) - far * sun[1] / max(0.2, np.hypot(sun[0], sun[2]))
        shade = np.minimum(shade, 1 - 0.75 * step(0, 3, shadow - height))
    return height, light * shade, steep


def render(scene, scale=1.25):
    """Looks over the ground from the eye: for each pixel the first slice of ground that is high enough, else the sky; water mirrors both."""
    source = np.random.default_rng(scene.seed)
    width, height = (int(edge * scale) for edge in scene.size)
    focal = FOCAL * max(width, height)
    horizon = scene.horizon * height
    columns, rows = np.meshgrid(np.arange(width), np.arange(height))
    x, y = (columns - width / 2) / focal, (horizon - rows) / focal
    picture = sky(scene, source, width, height, x, y)

    heights, light, steep = ground(scene, source)
    patches = spectral(source, 1.2)
    fine = spectral(source, 0.6)
    distances = scene.near * (1500 / scene.near) ** (np.arange(SLICES) / (SLICES - 1))
    depth = distances[:, None]
    world_x = (np.arange(width) - width / 2)[None, :] / focal * depth + 300
    world_z = depth + 300
    tall = sample(heights, world_x, world_z) + scene.rise * (depth / 100)
    close = int(SLICES * 0.42)
    eye = max(scene.eye, tall[:close].max() + 4 + scene.trees)
    is_water = tall <= scene.sea
    level = np.maximum(tall, scene.sea)
    line = horizon + focal * (eye - level) / depth
    visible = np.minimum.accumulate(line, axis=0)

    flat = sample(steep, world_x, world_z)
    patch = sample(patches, world_x, world_z)
    grain = sample(fine, world_x * 5, world_z * 5)
    colour = mix(scene.low, scene.high, step(0.93, 0.72, flat) * 0.8 + 0.14 * patch)
    colour = colour * (1 + 0.16 * patch + 0.10 * grain)[..., None]
    if scene.rows:
        furrow = 0.5 + 0.5 * np.sin(world_x * scene.rows + 0.6 * patch)
        colour = mix(colour, np.asarray(scene.bloom), step(0.25, 0.75, furrow) * step(0.75, 0.9, flat)) * (0.85 + 0.2 * grain)[..., None]
    colour = mix(colour, (0.92, 0.95, 1.0), step(scene.snow, scene.snow + 9, level + 5 * patch) * step(0.5, 0.75, flat))
    colour = colour * (np.asarray(scene.ambient) + np.asarray(scene.sunlight) * (1.15 * sample(light, world_x, world_z))[..., None])
    column_haze = np.asarray(scene.haze) + np.asarray(scene.sunlight) * (0.5 * scene.glow * np.exp(-np.abs(x[0] - scene.sun[0]) * 3))[:, None] * 0.6
    colour = colour + (column_haze[None] - colour) * (1 - np.exp(-(depth / scene.fog) ** 1.25))[..., None]

    index = np.full((height, width), SLICES, np.int64)
    share = np.zeros((height, width))
    for column in range(width):
        falling = -visible[:, column]
        found = np.searchsorted(falling, -np.arange(height), side="left")
        index[:, column] = found
        before = np.clip(found - 1, 0, SLICES - 1)
        after = np.clip(found, 0, SLICES - 1)
        share[:, column] = np.clip((np.arange(height) - visible[before, column]) / np.minimum(visible[after, column] - visible[before, column] - 1e-6, -1e-6), 0, 1)
    is_ground = index < SLICES
    at = np.clip(index, 0, SLICES - 1)
    seen = colour[at, columns] * share[..., None] + colour[np.clip(at - 1, 0, None), columns] * (1 - share[..., None])
    picture = np.where(is_ground[..., None], seen, picture)

    if scene.sea > -1000:
        wet = is_ground & is_water[at, columns]
        far = (eye - scene.sea) * focal / np.clip(rows - horizon, 0.6, None)
        waves = spectral(source, 1.15)
        u, v = x * far * 9, far * 9
        strength = scene.ripple * np.clip(focal * 0.010 * (1.15 - np.exp(-(rows - horizon) / height * 6)), 0, None)
        swell = sample(waves, u, v) + 0.6 * sample(waves, u * 2.7, v * 2.7)
        side = sample(waves, u + 333, v + 333)
        mirror_row = np.clip(2 * horizon - rows - np.abs(swell) * strength * 2.2, 0, max(1, horizon - 1)).astype(int)
        mirror_column = np.clip(columns + side * strength * 1.4, 0, width - 1).astype(int)
        mirrored = picture[mirror_row, mirror_column]
        facing = np.clip((rows - horizon) / height * 1.5, 0, 0.62)
        deep = np.asarray(scene.water) * (1 + 0.25 * swell)[..., None]
        water = mirrored * (1 - facing[..., None]) * 0.94 + deep * facing[..., None]
        picture = np.where(wet[..., None], water, picture)
    return develop(scene, picture, source)


def develop(scene, picture, source):
    """What a camera does to light: exposure, glare, darker corners, grain."""
    light = np.clip(picture * scene.exposure, 0, None)
    glare = Image.fromarray((np.clip(light - 0.75, 0, 1) * 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(light.shape[1] / 60))
    light = light + np.asarray(glare, float) / 255 * 0.55
    light = light * (1 + light / 4.5) / (1 + light * 0.62) * 1.06
    height, width = light.shape[:2]
    down, right = np.meshgrid(np.linspace(-1, 1, height), np.linspace(-1, 1, width), indexing="ij")
    light = light * (1 - 0.16 * np.clip(down**2 + right**2 - 0.3, 0, None))[..., None]
    grey = light.mean(axis=2, keepdims=True)
    light = grey + (light - grey) * 1.28
    light = np.clip(light, 0, 1) ** 0.80
    light = light * 0.62 + 0.38 * light * light * (3 - 2 * light)
    light = light + source.standard_normal((height, width, 1)) * 0.012
    image = Image.fromarray((np.clip(light, 0, 1) * 255).astype(np.uint8))
    return image.resize(scene.size, Image.Resampling.LANCZOS)


LANDSCAPE, WIDE, PORTRAIT = (1600, 1067), (1600, 900), (1067, 1600)
GOLD, ROSE, NOON = (1.75, 1.05, 0.50), (1.5, 0.85, 0.72), (1.30, 1.22, 1.08)

SCENES = [
    Scene("Lake at sunrise", 11, LANDSCAPE, horizon=0.44, zenith=(0.20, 0.34, 0.62), haze=(0.95, 0.74, 0.58), sun=(-0.22, 0.10), sunlight=(1.5, 1.0, 0.6), ambient=(0.30, 0.32, 0.46), glow=0.55, clouds=0.42, terrain=95, eye=9, sea=2, ripple=0.16, snow=34, low=(0.10, 0.14, 0.06), fog=820, near=8, rise=4),
    Scene("Evening at the sea", 22, WIDE, horizon=0.50, zenith=(0.13, 0.22, 0.50), haze=(1.0, 0.56, 0.34), sun=(0.12, 0.055), sunlight=(2.0, 1.0, 0.42), ambient=(0.2, 0.2, 0.3), glow=0.75, clouds=0.55, cloud=(0.62, 0.40, 0.44), terrain=18, eye=12, sea=4, ripple=1.0, fog=300, rise=-2.0),
    Scene("Green hills", 33, LANDSCAPE, horizon=0.40, zenith=(0.14, 0.38, 0.80), haze=(0.70, 0.84, 0.96), sun=(0.9, 0.65), sunlight=NOON, glow=0.15, clouds=0.62, terrain=34, rough=2.3, ridged=0.1, eye=30, low=(0.20, 0.36, 0.06), high=(0.26, 0.34, 0.09), fog=800, trees=0),
    Scene("Dunes", 48, PORTRAIT, horizon=0.40, zenith=(0.20, 0.42, 0.74), haze=(0.96, 0.86, 0.70), sun=(-0.8, 0.40), sunlight=(1.9, 1.3, 0.72), ambient=(0.34, 0.30, 0.40), glow=0.3, clouds=0.08, terrain=52, rough=2.4, ridged=1.0, eye=44, low=(0.62, 0.42, 0.22), high=(0.66, 0.44, 0.22), fog=900),
    Scene("Snow at last light", 56, LANDSCAPE, horizon=0.62, zenith=(0.18, 0.26, 0.52), haze=(0.92, 0.66, 0.68), sun=(-0.9, 0.20), sunlight=(1.7, 0.85, 0.66), ambient=(0.34, 0.40, 0.62), glow=0.35, clouds=0.25, terrain=130, eye=24, snow=-70, low=(0.16, 0.16, 0.18), high=(0.22, 0.20, 0.22), fog=900, rise=10),
    Scene("Valley in the mist", 67, WIDE, horizon=0.36, zenith=(0.42, 0.56, 0.74), haze=(0.90, 0.88, 0.84), sun=(0.36, 0.22), sunlight=(1.5, 1.25, 0.9), ambient=(0.26, 0.32, 0.38), glow=0.6, clouds=0.2, terrain=60, ridged=0.5, eye=52, low=(0.05, 0.11, 0.04), high=(0.08, 0.12, 0.05), trees=4, fog=420, near=40),
    Scene("Night over the pass", 78, PORTRAIT, horizon=0.74, zenith=(0.012, 0.02, 0.06), haze=(0.10, 0.14, 0.26), sun=(-0.5, 0.3), sunlight=(0.16, 0.2, 0.32), ambient=(0.04, 0.05, 0.10), glow=0.0, clouds=0.0, stars=1.0, terrain=110, eye=20, snow=12, low=(0.1, 0.12, 0.12), fog=800, rise=8, exposure=2.6),
    Scene("Islands", 89, LANDSCAPE, horizon=0.36, zenith=(0.10, 0.36, 0.78), haze=(0.70, 0.86, 0.96), sun=(0.7, 0.6), sunlight=NOON, glow=0.12, clouds=0.5, terrain=70, ridged=0.4, eye=36, sea=6, water=(0.02, 0.30, 0.36), ripple=0.6, low=(0.14, 0.26, 0.06), high=(0.46, 0.40, 0.30), trees=2.5, fog=1100),
    Scene("Lavender", 91, LANDSCAPE, horizon=0.42, zenith=(0.22, 0.38, 0.70), haze=(0.98, 0.82, 0.72), sun=(-0.45, 0.18), sunlight=(1.6, 1.1, 0.74), ambient=(0.34, 0.32, 0.44), glow=0.5, clouds=0.4, terrain=14, rough=2.6, ridged=0.0, eye=14, low=(0.16, 0.22, 0.08), high=(0.2, 0.22, 0.1), rows=1.7, fog=700, near=4),
    Scene("Autumn", 102, LANDSCAPE, horizon=0.34, zenith=(0.20, 0.42, 0.76), haze=(0.88, 0.86, 0.82), sun=(-0.75, 0.32), sunlight=(1.5, 1.2, 0.85), ambient=(0.28, 0.30, 0.36), glow=0.25, clouds=0.35, terrain=58, ridged=0.35, eye=48, low=(0.42, 0.20, 0.04), high=(0.30, 0.22, 0.06), trees=3, fog=700, near=45),
    Scene("Fjord", 113, WIDE, horizon=0.47, zenith=(0.26, 0.40, 0.60), haze=(0.78, 0.84, 0.90), sun=(0.6, 0.4), sunlight=(1.2, 1.12, 1.0), glow=0.15, clouds=0.7, cloud=(0.86, 0.88, 0.92), terrain=150, eye=12, sea=12, ripple=0.22, snow=58, low=(0.10, 0.18, 0.07), high=(0.26, 0.26, 0.27), fog=1000, near=10, rise=5),
    Scene("Blue hour", 127, LANDSCAPE, horizon=0.52, zenith=(0.06, 0.12, 0.34), haze=(0.86, 0.50, 0.44), sun=(-0.05, -0.04), sunlight=(1.2, 0.62, 0.5), ambient=(0.20, 0.24, 0.44), glow=0.5, clouds=0.35, cloud=(0.34, 0.28, 0.42), terrain=44, eye=20, sea=16, ripple=0.3, low=(0.06, 0.07, 0.06), fog=420, near=10),
]


def landscapes(folder):
    """Twelve photos under names that cameras give. Made once for a folder, then reused."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, scene in enumerate(SCENES):
        path = folder / f"IMG_{2041 + 7 * number}.jpg"
        if not path.exists():
            partial = path.with_suffix(".partial")
            exif = Image.Exif()
            exif.get_ifd(34665)[36867] = f"2026:07:{11 + number // 4:02} {8 + number}:{(17 * number) % 60:02}:00"
            render(scene).save(partial, "JPEG", quality=90, exif=exif)
            partial.rename(path)
        paths.append(path)
    return paths
