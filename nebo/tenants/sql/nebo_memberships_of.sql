-- Where is this login a member? One of the three questions that must be answered before a tenant is known: it runs as the
-- owner, past row-level security, for one exact login.

CREATE OR REPLACE FUNCTION nebo_memberships_of(wanted uuid)
RETURNS TABLE (tenant_id uuid, slug varchar, name varchar, role varchar, is_active boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT m.tenant_id, t.slug, t.name, m.role, t.is_active
    FROM public.tenants_membership m JOIN public.tenants_tenant t ON t.id = m.tenant_id
    WHERE m.user_id = wanted ORDER BY t.name
$$;
