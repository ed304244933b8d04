# Where the tests find PostgreSQL and Redis; to be sourced with `.`. A value from outside takes precedence.
OWN_POSTGRES_PORT=54329
OWN_POSTGRES="postgres://postgres@127.0.0.1:$OWN_POSTGRES_PORT/test?sslmode=disable"
OWN_REDIS_PORT=54379
OWN_REDIS="redis://127.0.0.1:$OWN_REDIS_PORT"
if [ -f .services/postgres.env ]; then . .services/postgres.env; fi
if [ -f .services/redis.env ]; then . .services/redis.env; fi
: "${MCBK_TEST_POSTGRES:=postgres://postgres@127.0.0.1:5432/test?sslmode=disable}"
: "${MCBK_TEST_REDIS:=redis://127.0.0.1:6379}"
export MCBK_TEST_POSTGRES MCBK_TEST_REDIS
