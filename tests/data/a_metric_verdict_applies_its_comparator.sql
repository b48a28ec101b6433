-- A row is a comparator and a value to which the macro gives another verdict than the one worked out by hand.
with

worked_out as (
    select *
    from (
        values
        ('< 3.5', 3.4::double, true),
        ('< 3.5', 3.5, false),
        ('<= 3.5', 3.5, true),
        ('<= 3.5', 3.6, false),
        ('> 3.5', 3.6, true),
        ('> 3.5', 3.5, false),
        ('>= 3.5', 3.5, true),
        ('>= 3.5', 3.4, false),
        ('= 0.1', 0.1, true),
        ('= 0.3', 0.1 + 0.2::double, false),
        ('!= 3.5', 3.5, false),
        ('!= 3.5', 3.4, true),
        ('>= -1.5e3', -1500.0, true),
        ('= 0', -0.0, true),
        ('> 1', 'infinity', true),
        ('> 1', 'nan', null),
        ('!= 1', 'nan', null),
        ('> 1', null, null),
        (null, 1.0, null),
        ('>3.5', 4.0, null),
        ('about 3.5', 4.0, null)
    ) as t (comparator, measured, expected)
),

judged as (
    select *, {{ metric_verdict('comparator', 'measured') | indent(4) }} as verdict
    from worked_out
),

final as (
    select * from judged where verdict is distinct from expected
)

select * from final
