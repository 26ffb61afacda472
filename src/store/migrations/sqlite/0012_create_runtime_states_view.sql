-- The engine's columns of instances under the names that the runtime state has elsewhere, and its snapshot as
-- JSON. Nothing is stored twice; src/model/codec/snapshot.cpp makes the same JSON.
create view runtime_states as
select version as state_version,
       snapshot_schema_version,
       waiting_kind,
       waiting_token,
       waiting_until as waiting_until_utc,
       null as active_task_id,
       resume as resume_pointer_json,
       last_signal_id,
       last_error_code,
       case when last_error_code is not null then result end as last_error_json,
       last_executed_by,
       last_executed_at as last_executed_on_utc,
       definition_key as workflow_name,
       definition_version as workflow_version,
       business as business_reference,
       'holdfast' as runtime_provider,
       id as runtime_instance_id,
       status as runtime_status,
       json_object(
           'engineSchemaVersion', snapshot_schema_version,
           'workflowState', json(state),
           'businessReference', json(business),
           'status', status,
           'waiting', json_object('kind', waiting_kind, 'token', token, 'untilUtc', until),
           'resume', json(resume),
           'subWorkflowFrames', json('[]'),
           'continuationBuffer', json('[]')) as state_json,
       created_at,
       execution_started_at,
       completed_at
from (
    select i.id, i.version, i.status, i.snapshot_schema_version, i.waiting_kind, i.waiting_token, i.waiting_until,
           i.last_signal_id, i.last_error_code, i.result, i.last_executed_by, i.last_executed_at, i.definition_key,
           i.definition_version, i.created_at, i.execution_started_at, i.completed_at,
           coalesce(d.state, '{}') as state,
           json_object('key', i.business_key, 'parts', json(coalesce(i.business_parts, '{}'))) as business,
           case when i.waiting_token is not null then
               lower(substr(hex(i.waiting_token), 1, 8) || '-' || substr(hex(i.waiting_token), 9, 4) || '-' ||
                     substr(hex(i.waiting_token), 13, 4) || '-' || substr(hex(i.waiting_token), 17, 4) || '-' ||
                     substr(hex(i.waiting_token), 21)) end as token,
           strftime('%Y-%m-%dT%H:%M:%S', i.waiting_until / 1000000, 'unixepoch') ||
               printf('.%06dZ', i.waiting_until % 1000000) as until,
           json_object(
               'entryPointKind', case when i.status not in ('running', 'suspended') then 'end'
                                      when i.waiting_token is not null then 'wait'
                                      when i.activity_index = 0 then 'start'
                                      else 'step' end,
               'taskName', null,
               'branchPath', json('[]'),
               'nextStepIndex', i.activity_index) as resume
    from instances i left join documents d on d.instance = i.seq);
