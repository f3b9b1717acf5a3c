"""The client: it draws requests and facts, sends them, and keeps every answer with its times."""
