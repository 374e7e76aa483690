#!/bin/sh
# Runs once, on an empty data volume: a role with its settings and a schema of its own for each service, as `provision` of libs/data makes them.
set -eu
sql() { psql --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" "$@"; }
for extension in pg_trgm btree_gin citext; do
  sql --command "CREATE EXTENSION IF NOT EXISTS $extension SCHEMA public"
done
for entry in $SERVICE_ROLES; do
  sql --set role="${entry%%:*}" --set password="${entry#*:}" --set database="$POSTGRES_DB" <<'SQL'
CREATE ROLE :"role" LOGIN PASSWORD :'password';
CREATE SCHEMA :"role" AUTHORIZATION :"role";
GRANT CREATE ON DATABASE :"database" TO :"role";
ALTER ROLE :"role" IN DATABASE :"database" SET search_path = :"role", public;
ALTER ROLE :"role" IN DATABASE :"database" SET statement_timeout = '15s';
ALTER ROLE :"role" IN DATABASE :"database" SET idle_in_transaction_session_timeout = '60s';
SQL
done
