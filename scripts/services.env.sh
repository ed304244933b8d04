# Where the tests find PostgreSQL; to be read with `.`. A value from outside wins.
OWN_POSTGRES_PORT=54329
OWN_POSTGRES="postgres://postgres@127.0.0.1:$OWN_POSTGRES_PORT/test?sslmode=disable"
if [ -z "${MCBK_TEST_POSTGRES:-}" ]; then
  MCBK_TEST_POSTGRES="postgres://postgres@127.0.0.1:5432/test?sslmode=disable"
  if [ -f .services/env ]; then . .services/env; fi
fi
export MCBK_TEST_POSTGRES
