-- What a migrated database needs to be as it was, however a test left it. It lies in a schema of
-- its own, which no session of the program searches.
CREATE SCHEMA given;

-- Whatever DDL does to tables, triggers, constraints or functions, it leaves a younger row here, or one less.
-- What PostgreSQL itself brings has numbers below 16384.
CREATE VIEW given.catalogue AS SELECT count(*) AS rows, max(xmin::text::bigint) AS youngest FROM (
	SELECT xmin, oid FROM pg_class UNION ALL SELECT xmin, attrelid FROM pg_attribute UNION ALL SELECT xmin, oid FROM pg_attrdef
	UNION ALL SELECT xmin, oid FROM pg_trigger UNION ALL SELECT xmin, oid FROM pg_constraint UNION ALL SELECT xmin, oid FROM pg_proc UNION ALL SELECT xmin, oid FROM pg_policy
	UNION ALL SELECT xmin, oid FROM pg_namespace) AS everything WHERE oid >= 16384;
CREATE TABLE given.migrated (rows BIGINT, youngest BIGINT);

CREATE TABLE given.sequences AS
	SELECT format('%I.%I', schemaname, sequencename) AS name, coalesce(last_value, start_value) AS value, last_value IS NOT NULL AS called
	FROM pg_sequences WHERE schemaname = 'public';
CREATE TABLE given.seeds (tablename NAME, seeds JSONB);
DO $$
DECLARE one NAME;
BEGIN
	FOR one IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
		EXECUTE format('INSERT INTO given.seeds SELECT %L, jsonb_agg(t) FROM public.%I AS t', one, one);
	END LOOP;
END $$;

-- Whether the database is as it was migrated, now that nobody else uses it: rows are put back, but not DDL.
-- As a replica it wakes no trigger, and no foreign key minds.
CREATE FUNCTION given.again() RETURNS BOOLEAN LANGUAGE plpgsql SET session_replication_role = replica AS $$
DECLARE one given.seeds;
BEGIN
	PERFORM pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid();
	IF NOT EXISTS (TABLE given.catalogue INTERSECT TABLE given.migrated) THEN RETURN FALSE; END IF;
	FOR one IN TABLE given.seeds LOOP
		EXECUTE format('DELETE FROM public.%I', one.tablename);
		IF one.seeds IS NOT NULL THEN
			EXECUTE format('INSERT INTO public.%I OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_recordset(NULL::public.%I, $1)',
				one.tablename, one.tablename) USING one.seeds;
		END IF;
	END LOOP;
	PERFORM setval(name, value, called) FROM given.sequences;
	RETURN TRUE;
END $$;
