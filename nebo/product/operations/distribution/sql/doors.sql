-- The questions that come before a tenant is known. The directory says whose a key, an invitation or a code is; then one
-- server is asked.

CREATE OR REPLACE FUNCTION nebo_owner_of(what text, wanted text) RETURNS uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
    RETURN (SELECT d.team FROM public.nebo_directory d WHERE d.kind = what AND d.name = wanted);
END $$;

CREATE OR REPLACE FUNCTION nebo_find_key(wanted text)
RETURNS TABLE (id uuid, tenant_id uuid, digest varchar, scopes varchar[], person_id uuid, persona_id uuid,
               expires_at timestamptz, revoked_at timestamptz, last_used_at timestamptz, tenant_active boolean,
               trust varchar, calls_per_minute integer)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public AS $$
DECLARE
    owner uuid := nebo_owner_of('key', wanted);
BEGIN
    IF owner IS NOT NULL THEN
        RETURN QUERY SELECT * FROM nebo_key_of(owner, wanted);
    END IF;
END $$;

CREATE OR REPLACE FUNCTION nebo_memberships_of(wanted uuid)
RETURNS TABLE (tenant_id uuid, slug varchar, name varchar, role varchar, is_active boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
    RETURN QUERY SELECT m.tenant_id, t.slug, t.name, m.role, t.is_active
    FROM public.tenants_membership m JOIN public.tenants_tenant t ON t.id = m.tenant_id
    WHERE m.user_id = wanted ORDER BY t.name;
END $$;

CREATE OR REPLACE FUNCTION nebo_find_invitation(wanted text)
RETURNS TABLE (id uuid, tenant_id uuid, digest varchar, role varchar, team varchar, slug varchar, invited_by varchar,
               is_open boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    owner uuid;
BEGIN
    SELECT d.team INTO owner FROM public.nebo_directory d WHERE d.kind = 'invitation' AND d.name = wanted;
    RETURN QUERY SELECT i.id, i.tenant_id, i.digest, i.role, t.name, t.slug, coalesce(u.email, ''),
           t.is_active AND i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > clock_timestamp()
    FROM public.workspace_invitation i
    JOIN public.tenants_tenant t ON t.id = i.tenant_id
    LEFT JOIN public.tenants_user u ON u.id = i.created_by_id
    WHERE i.tenant_id = owner AND i.public_id = wanted;
END $$;

CREATE OR REPLACE FUNCTION nebo_find_connect_code(wanted text) RETURNS TABLE (id uuid, tenant_id uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    owner uuid;
BEGIN
    SELECT d.team INTO owner FROM public.nebo_directory d WHERE d.kind = 'code' AND d.name = wanted;
    RETURN QUERY SELECT c.id, c.tenant_id
    FROM public.workspace_connectcode c JOIN public.tenants_tenant t ON t.id = c.tenant_id
    WHERE c.tenant_id = owner AND c.digest = wanted AND t.is_active;
END $$;

CREATE OR REPLACE FUNCTION nebo_make_tenant(given jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO public.tenants_tenant
    SELECT (jsonb_populate_record(NULL::public.tenants_tenant, given || jsonb_build_object('created_at', clock_timestamp()))).*;
END $$;

REVOKE ALL ON FUNCTION nebo_owner_of(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION nebo_owner_of(text, text) TO "{app}";
