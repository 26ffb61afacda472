-- Most workflows have no business reference: they leave these indexes alone.
drop index instances_business_parts;
create index instances_business_parts on instances using gin (business_parts jsonb_path_ops)
    where business_parts is not null;
drop index tasks_business_parts;
create index tasks_business_parts on tasks using gin (business_parts jsonb_path_ops)
    where business_parts is not null;
