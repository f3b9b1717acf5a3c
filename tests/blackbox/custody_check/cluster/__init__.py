"""A service on a cluster of PostgreSQL servers that Patroni heals."""
