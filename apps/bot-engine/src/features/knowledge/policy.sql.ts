/**
 * $1 store  $2 agent  $3 words  $4 limit. Every word, as it stands or as one of its synonyms, weighs the more the fewer chunks of the
 * agent hold it (inverse document frequency, Robertson and Sparck Jones 1976); one that no chunk holds weighs most of all.
 * `coverage` is the share of the question's weight that a chunk holds: of what was asked for it tells how much is spoken of.
 */
export const SEARCH_POLICY = `
  WITH asked AS MATERIALIZED (
    SELECT n, word, (
      SELECT string_agg(term, ' | ')::tsquery FROM (
        SELECT plainto_tsquery(config::regconfig, variant)::text AS term FROM (
          SELECT given.word AS variant
          UNION SELECT expand FROM bot_synonyms WHERE store_id = $1 AND bot_synonyms.word = given.word
          UNION SELECT expand FROM bot_synonyms WHERE store_id = '' AND bot_synonyms.word = given.word
            AND NOT EXISTS (SELECT 1 FROM bot_synonyms own WHERE own.store_id = $1 AND own.word = given.word)) variants
        CROSS JOIN (VALUES ('indonesian'), ('simple'), ('english')) configs(config)) terms
      WHERE term <> '') AS query
    FROM unnest($3::text[]) WITH ORDINALITY AS given(word, n)),
  held AS MATERIALIZED (
    SELECT asked.n, chunk.id, ts_rank(chunk.tsv, asked.query) AS rank FROM asked
    JOIN bot_knowledge_chunks chunk ON chunk.store_id = $1 AND chunk.agent_id = $2 AND chunk.tsv @@ asked.query),
  total AS (SELECT count(*)::float8 AS chunks FROM bot_knowledge_chunks WHERE store_id = $1 AND agent_id = $2),
  weight AS MATERIALIZED (
    SELECT asked.n, ln(1 + (total.chunks - count(held.id) + 0.5) / (count(held.id) + 0.5)) AS w
    FROM total, asked LEFT JOIN held USING (n) WHERE asked.query IS NOT NULL GROUP BY asked.n, total.chunks),
  scored AS (
    SELECT held.id, sum(w) AS matched, count(*)::int AS words, sum(w * held.rank) AS ranked
    FROM held JOIN weight USING (n) GROUP BY held.id)
  SELECT chunk.id AS "chunkId", chunk.title, chunk.body, matched, words,
    matched / (SELECT sum(w) FROM weight) AS coverage, matched + ranked AS score
  FROM scored JOIN bot_knowledge_chunks chunk ON chunk.store_id = $1 AND chunk.id = scored.id
  ORDER BY score DESC, chunk.id LIMIT $4`;
