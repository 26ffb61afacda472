-- Tasks are found by every part of the business reference of their workflow, as it was when it asked.
alter table tasks add column business_parts jsonb;
update tasks t set business_parts = i.business_parts
from instances i where i.id = t.instance_id and i.business_parts is not null;
create index tasks_business_parts on tasks using gin (business_parts jsonb_path_ops);
