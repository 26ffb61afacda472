-- The engine's columns of instances under the names that the runtime state has elsewhere, and its snapshot as
-- JSON. Nothing is stored twice; src/model/codec/snapshot.cpp makes the same JSON.
create view runtime_states as
select i.version as state_version,
       i.snapshot_schema_version,
       i.waiting_kind,
       i.waiting_token,
       i.waiting_until as waiting_until_utc,
       null::uuid as active_task_id,
       r.resume as resume_pointer_json,
       i.last_signal_id,
       i.last_error_code,
       case when i.last_error_code is not null then i.result::jsonb end as last_error_json,
       i.last_executed_by,
       i.last_executed_at as last_executed_on_utc,
       i.definition_key as workflow_name,
       i.definition_version as workflow_version,
       b.business as business_reference,
       'holdfast'::text as runtime_provider,
       i.id as runtime_instance_id,
       i.status as runtime_status,
       jsonb_build_object(
           'engineSchemaVersion', i.snapshot_schema_version,
           'workflowState', coalesce(d.state, '{}'),
           'businessReference', b.business,
           'status', i.status,
           'waiting', jsonb_build_object(
               'kind', i.waiting_kind,
               'token', i.waiting_token,
               'untilUtc', to_char(i.waiting_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')),
           'resume', r.resume,
           'subWorkflowFrames', '[]'::jsonb,
           'continuationBuffer', '[]'::jsonb) as state_json,
       i.created_at,
       i.execution_started_at,
       i.completed_at
from instances i
left join documents d on d.instance_id = i.id
cross join lateral (select jsonb_build_object(
    'key', i.business_key, 'parts', coalesce(i.business_parts, '{}')) as business) b
cross join lateral (select jsonb_build_object(
    'entryPointKind', case when i.status not in ('running', 'suspended') then 'end'
                           when i.waiting_token is not null then 'wait'
                           when i.activity_index = 0 then 'start'
                           else 'step' end,
    'taskName', null,
    'branchPath', '[]'::jsonb,
    'nextStepIndex', i.activity_index) as resume) r;
