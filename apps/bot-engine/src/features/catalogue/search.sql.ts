/**
 * $1 store  $2 words  $3 limit. One statement, because every round trip is a part of the customer's waiting. A word is looked for
 * as it stands, as its synonyms (the store's own before the global ones), and, when the store does not know it, as the most similar
 * word that it knows: trigrams correct, they do not rank. Products that have any of these in either dictionary, best first.
 */
export const SEARCH_PRODUCTS = `
  WITH synonym AS MATERIALIZED (
    SELECT word, expand FROM bot_synonyms WHERE store_id = $1 AND word = ANY($2::text[])
    UNION ALL
    SELECT shared.word, shared.expand FROM bot_synonyms shared WHERE shared.store_id = '' AND shared.word = ANY($2::text[])
      AND NOT EXISTS (SELECT 1 FROM bot_synonyms own WHERE own.store_id = $1 AND own.word = shared.word)),
  fixed AS MATERIALIZED (
    SELECT known.word FROM unnest($2::text[]) given(word)
    JOIN LATERAL (
      SELECT word FROM bot_vocab WHERE store_id = $1 AND word % given.word AND similarity(word, given.word) >= 0.35
      ORDER BY similarity(word, given.word) DESC, word LIMIT 1) known ON true
    WHERE NOT EXISTS (SELECT 1 FROM bot_vocab WHERE store_id = $1 AND word = given.word)
      AND NOT EXISTS (SELECT 1 FROM synonym WHERE synonym.word = given.word)),
  asked(word) AS MATERIALIZED (
    SELECT unnest($2::text[]) UNION SELECT expand FROM synonym UNION SELECT word FROM fixed),
  wanted AS MATERIALIZED (
    SELECT string_agg(term, ' | ')::tsquery AS query FROM (
      SELECT plainto_tsquery('indonesian', word)::text AS term FROM asked
      UNION SELECT plainto_tsquery('simple', word)::text FROM asked) terms
    WHERE term <> '')
  SELECT sku, ts_rank(tsv, wanted.query) AS score FROM bot_catalogue, wanted
  WHERE store_id = $1 AND tsv @@ wanted.query
  ORDER BY score DESC, sku LIMIT $3`;
