-- add_charge --
INSERT INTO charges (team, member, source, incarnation, turn, number, model, basis,
                     total_input, total_cached, total_output, total_micros,
                     input, cached, output, micros, charged_at)
VALUES (:team, :member, :source, :incarnation, :turn, :number, :model, :basis,
        :total_input, :total_cached, :total_output, :total_micros,
        :input, :cached, :output, :micros, :now)
RETURNING *;

-- get_charge --
SELECT * FROM charges
 WHERE team = :team AND member = :member AND source = :source
   AND incarnation = :incarnation AND turn = :turn AND number = :number;

-- charge_before --
-- The reading of a source that came last before a place in its order.
SELECT * FROM charges
 WHERE team = :team AND member = :member AND source = :source
   AND (incarnation, turn, number)
     < (CAST(:incarnation AS BIGINT), CAST(:turn AS BIGINT), CAST(:number AS BIGINT))
 ORDER BY incarnation DESC, turn DESC, number DESC
 LIMIT 1;

-- charge_after --
SELECT * FROM charges
 WHERE team = :team AND member = :member AND source = :source
   AND (incarnation, turn, number)
     > (CAST(:incarnation AS BIGINT), CAST(:turn AS BIGINT), CAST(:number AS BIGINT))
 ORDER BY incarnation, turn, number
 LIMIT 1;

-- add_spending --
INSERT INTO spending (team, scope, name, input, cached, output, micros, dearest)
VALUES (:team, :scope, :name, :input, :cached, :output, :micros, :micros)
ON CONFLICT (team, scope, name) DO UPDATE
   SET input = spending.input + excluded.input, cached = spending.cached + excluded.cached,
       output = spending.output + excluded.output, micros = spending.micros + excluded.micros,
       dearest = CASE WHEN excluded.dearest > spending.dearest THEN excluded.dearest
                      ELSE spending.dearest END
RETURNING *;

-- get_spending --
SELECT * FROM spending WHERE team = :team AND scope = :scope AND name = :name;

-- spent_by_all --
SELECT coalesce(sum(micros), 0) AS micros FROM spending WHERE team = :team AND scope = 'member';

-- list_spending --
SELECT * FROM spending WHERE team = :team AND scope = :scope ORDER BY name;
