-- Which code is this? Asked before a tenant is known, by a command that has no key yet: it runs as the owner, past row-level
-- security, for one exact code. Whether it still opens anything is asked again under a lock.

CREATE OR REPLACE FUNCTION nebo_find_connect_code(wanted text) RETURNS TABLE (id uuid, tenant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT c.id, c.tenant_id
    FROM public.workspace_connectcode c JOIN public.tenants_tenant t ON t.id = c.tenant_id
    WHERE c.digest = wanted AND t.is_active
$$;
