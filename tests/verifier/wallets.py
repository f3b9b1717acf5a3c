"""Signatures of wallets by docs/RESERVES.md: EIP-191 of an address of Ethereum's kind, and BIP-322, in
its simple form, of an address P2WPKH. `Crypto.Hash` is of pycryptodome, pinned in requirements.txt.
"""

import base64
import binascii
import hashlib
import re

from Crypto.Hash import RIPEMD160, keccak

# secp256k1: y^2 = x^3 + 7 over P, with a generator G of order N.
P = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
     0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8)
LETTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


def sha(data):
    return hashlib.sha256(data).digest()


def added(one, other):
    if one is None or other is None:
        return one or other
    (x, y), (u, v) = one, other
    if x == u and (y + v) % P == 0:
        return None
    slope = (3 * x * x * pow(2 * y, -1, P) if one == other else (v - y) * pow(u - x, -1, P)) % P
    z = (slope * slope - x - u) % P
    return z, (slope * (x - z) - y) % P


def times(number, point):
    sum = None
    while number:
        sum = added(sum, point) if number & 1 else sum
        number, point = number >> 1, added(point, point)
    return sum


def lifted(x, odd):
    """The point of this x whose y is odd or even, if there is one."""
    y = pow(x**3 + 7, (P + 1) // 4, P)
    return (x, y if y & 1 == odd else P - y) if x < P and (y * y - x**3 - 7) % P == 0 else None


def in_range(r, s):
    # Only the lower of the two s that a signature has.
    return 0 < r < N and 0 < s <= N // 2


def verified(key, digest, r, s):
    if not in_range(r, s):
        return False
    z, w = int.from_bytes(digest, "big"), pow(s, -1, N)
    point = added(times(z * w % N, G), times(r * w % N, key))
    return point is not None and point[0] % N == r


def recovered(digest, r, s, odd):
    point = lifted(r, odd) if in_range(r, s) else None
    if point is None:
        return None
    z, w = int.from_bytes(digest, "big"), pow(r, -1, N)
    return added(times(s * w % N, point), times(-z * w % N, G))


def keccak256(data):
    return keccak.new(digest_bits=256, data=data).digest()


def ethereum_address(text):
    return bytes.fromhex(text[2:]) if re.fullmatch("0x[0-9a-fA-F]{40}", text) else None


def ethereum_signed(address, text, signature):
    if not re.fullmatch("0x[0-9a-fA-F]{130}", signature):
        return False
    data, text = bytes.fromhex(signature[2:]), text.encode()
    r, s = int.from_bytes(data[:32], "big"), int.from_bytes(data[32:64], "big")
    odd = data[64] - 27 if data[64] >= 27 else data[64]
    if odd not in (0, 1):
        return False
    digest = keccak256(b"\x19Ethereum Signed Message:\n" + str(len(text)).encode() + text)
    key = recovered(digest, r, s, odd)
    return key is not None and keccak256(
        key[0].to_bytes(32, "big") + key[1].to_bytes(32, "big"))[12:] == address


def bitcoin_address(text):
    """The prefix and the 20 bytes of an address in bech32 of version 0."""
    if text != text.lower() and text != text.upper() or not text.isascii():
        return None
    prefix, one, data = text.lower().rpartition("1")
    if not one or prefix not in ("bc", "tb", "bcrt") or set(data) - set(LETTERS):
        return None
    values = [LETTERS.index(it) for it in data]
    sum = 1
    for value in [ord(it) >> 5 for it in prefix] + [0] + [ord(it) & 31 for it in prefix] + values:
        top = sum >> 25
        sum = (sum & 0x1FFFFFF) << 5 ^ value
        for bit, number in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            sum ^= number if top >> bit & 1 else 0
    # 20 bytes are 32 letters without a rest, and six are the check.
    if sum != 1 or len(values) != 39 or values[0] != 0:
        return None
    number = 0
    for value in values[1:33]:
        number = number << 5 | value
    return prefix, number.to_bytes(20, "big")


def twice(*parts):
    return sha(sha(b"".join(parts)))


def witness(data):
    stack, at = [], 1
    for _ in range(data[0]):
        length = data[at]
        if length >= 253 or at + 1 + length > len(data):
            return None
        stack.append(data[at + 1:at + 1 + length])
        at += 1 + length
    return stack if at == len(data) else None


def der(data):
    """r and s of a signature in its one form."""
    def whole(at):
        length = data[at + 1]
        part = data[at + 2:at + 2 + length]
        shortest = len(part) == length > 0 and not part[0] & 0x80 and not (
            length > 1 and part[0] == 0 and not part[1] & 0x80)
        return (int.from_bytes(part, "big"), at + 2 + length) if data[at] == 2 and shortest else None
    if data[0] != 0x30 or data[1] != len(data) - 2:
        return None
    first = whole(2)
    second = whole(first[1]) if first else None
    return (first[0], second[0]) if second and second[1] == len(data) else None


def bitcoin_signed(key_hash, text, signature):
    try:
        data = base64.b64decode(signature, validate=True)
        stack = witness(data)
        if stack is None or len(stack) != 2 or len(stack[1]) != 33 or stack[0][-1] != 1:
            return False
        signed = der(stack[0][:-1])
    except (binascii.Error, ValueError, IndexError):
        return False
    key = stack[1]
    if signed is None or RIPEMD160.new(sha(key)).digest() != key_hash or key[0] not in (2, 3):
        return False
    tag = sha(b"BIP0322-signed-message")
    spent = twice(bytes(4), b"\1", bytes(32), b"\xff" * 4, b"\x22\x00\x20",
                  sha(tag + tag + text.encode()), bytes(4), b"\1", bytes(8), b"\x16\x00\x14",
                  key_hash, bytes(4))
    outpoint = spent + bytes(4)
    digest = twice(bytes(4), twice(outpoint), twice(bytes(4)), outpoint, b"\x19\x76\xa9\x14",
                   key_hash, b"\x88\xac", bytes(8), bytes(4), twice(bytes(8), b"\1\x6a"), bytes(4),
                   b"\1\0\0\0")
    point = lifted(int.from_bytes(key[1:], "big"), key[0] & 1)
    return point is not None and verified(point, digest, *signed)
