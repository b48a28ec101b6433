{#- Each row is a combination of the columns' values that several rows of the model share; nulls count as equal. -#}
{% test unique_combination(model, columns) %}

select
    {{ columns | join(', ') }},
    count(*) as rows_sharing
from {{ model }}
group by {{ columns | join(', ') }}
having count(*) > 1

{% endtest %}
