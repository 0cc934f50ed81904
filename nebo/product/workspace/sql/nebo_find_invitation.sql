-- Which invitation is this? Asked before a tenant is known, by somebody who does not belong to it yet: it runs as the owner,
-- past row-level security, for one exact invitation. Whether it still opens anything is asked again under a lock.

CREATE OR REPLACE FUNCTION nebo_find_invitation(wanted text)
RETURNS TABLE (id uuid, tenant_id uuid, digest varchar, role varchar, team varchar, slug varchar, invited_by varchar,
               is_open boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT i.id, i.tenant_id, i.digest, i.role, t.name, t.slug, coalesce(u.email, ''),
           t.is_active AND i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > clock_timestamp()
    FROM public.workspace_invitation i
    JOIN public.tenants_tenant t ON t.id = i.tenant_id
    LEFT JOIN public.tenants_user u ON u.id = i.created_by_id
    WHERE i.public_id = wanted
$$;
