{#- The part of the `pending` schema in which registrations and observations stand, for the functions of settle/. -#}
{%- macro session_pending_settlement() -%}
-- The lines parsed, of the one kind or the other; one at fault has an identifier and a message.
create table pending.registration_lines (
    line_number bigint, prediction_id varchar, subject varchar, predicted_at timestamptz, horizon_secs bigint,
    deadline_at timestamptz, watch boolean, resolution_source varchar, comparator varchar, "statement" varchar,
    metric varchar, available_at timestamptz, identifier varchar, message varchar
);
create table pending.observation_lines (
    line_number bigint, prediction_id varchar, observed_at timestamptz, verdict boolean, resolution_source varchar,
    signal varchar, settling_citation varchar, metric varchar, "value" double, available_at timestamptz,
    identifier varchar, message varchar
);
create view pending.named_predictions as
select prediction_id from pending.registration_lines where identifier is null
union
select prediction_id from pending.observation_lines where identifier is null;
-- What is stored of these predictions: the registration and the newest observation of each.
create table pending.registrations as
select * exclude (line_number, available_at, identifier, message) from pending.registration_lines;
create table pending.observations as
select * exclude (line_number, available_at, identifier, message) from pending.observation_lines;
-- What becomes of each sound line: landed, restated or refused.
create table pending.rulings (line_number bigint, outcome varchar, identifier varchar, message varchar);
{% endmacro -%}
