"""Tells whether a saved photo is the picture that was added: the same bytes, but for the place and device data that are taken out before sealing."""

import hashlib
import json
import pathlib
import subprocess
import tempfile

TELLING = ("GPSLatitude", "GPSLongitude", "Make", "Model", "SerialNumber", "DateTimeOriginal")


def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def bare_digests(paths):
    """Digests of files once exiftool has taken all metadata out of copies of them, in the order of `paths`. It rewrites nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        copies = []
        for number, path in enumerate(paths):
            copy = pathlib.Path(folder) / f"{number}{pathlib.Path(path).suffix}"
            copy.write_bytes(pathlib.Path(path).read_bytes())
            copies.append(copy)
        subprocess.run(["exiftool", "-q", "-q", "-m", "-overwrite_original", "-all=", *copies], check=False)
        return [digest(copy) for copy in copies]


def are_the_same_pictures(saved, added):
    """Whether each saved file is the added one at the same place, to the byte, but for its metadata."""
    different = [pair for pair in zip(saved, added, strict=True) if digest(pair[0]) != digest(pair[1])]
    return not different or bare_digests([one for one, _ in different]) == bare_digests([one for _, one in different])


def tell_nothing(paths):
    """Whether none of the files says where, when or by what it was taken."""
    told = json.loads(subprocess.run(["exiftool", "-j", *(f"-{name}" for name in TELLING), *map(str, paths)], check=True, capture_output=True).stdout)
    return not any(name in one for one in told for name in TELLING)
