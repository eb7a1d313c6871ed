"""What we remember: SQLite or PostgreSQL behind the same ports, and the files a person reviews.

SQL lives in `sql/`, a row becomes a noun in one place. No rule about teams is decided here.
"""
