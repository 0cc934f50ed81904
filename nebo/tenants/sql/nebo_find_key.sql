-- Which key is this? One of the three questions that must be answered before a tenant is known: it runs as the owner, past
-- row-level security, for one exact key.

CREATE OR REPLACE FUNCTION nebo_find_key(wanted text)
RETURNS TABLE (id uuid, tenant_id uuid, digest varchar, scopes varchar[], person_id uuid, persona_id uuid,
               expires_at timestamptz, revoked_at timestamptz, last_used_at timestamptz, tenant_active boolean,
               trust varchar, calls_per_minute integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT k.id, k.tenant_id, k.digest, k.scopes, k.person_id, k.persona_id,
           k.expires_at, k.revoked_at, k.last_used_at, t.is_active, k.trust, t.calls_per_minute
    FROM public.tenants_apikey k JOIN public.tenants_tenant t ON t.id = k.tenant_id
    WHERE k.public_id = wanted
$$;
