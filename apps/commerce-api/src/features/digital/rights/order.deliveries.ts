import { Choice, Int, Text } from '@platform/validation';

/** What a buyer can fetch of a line of an order. */
export class OrderDelivery {
  @Text({ format: 'uuid', description: 'Which `/digital-store/deliveries/{id}/resend` sends again' }) id!: string;
  @Text({ format: 'uuid' }) order_item_id!: string;
  @Choice(['file', 'keys']) kind!: 'file' | 'keys';
  @Text({ nullable: true, description: 'Of the file' }) name!: string | null;
  @Int() downloads!: number;
  @Int() max_downloads!: number;
  @Text({ format: 'instant' }) expires_at!: string;
  @Text({ format: 'instant', nullable: true }) sent_at!: string | null;
  @Text({ format: 'instant', nullable: true, description: 'Its link opens nothing since then' }) revoked_at!:
    string | null;
}

const instant = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL of the deliveries of an order `o` as json, the first first; the store is `$1`. */
export const DELIVERIES_OF_ORDER = `
  (SELECT coalesce(json_agg(json_build_object('id', d.id, 'order_item_id', d.order_item_id,
      'kind', CASE WHEN d.asset_id IS NULL THEN 'keys' ELSE 'file' END, 'name', m.name, 'downloads', d.downloads,
      'max_downloads', d.max_downloads, 'expires_at', ${instant('d.expires_at')}, 'sent_at', ${instant('d.sent_at')},
      'revoked_at', ${instant('d.revoked_at')}) ORDER BY d.id), '[]')
    FROM digital_delivery d LEFT JOIN digital_asset a ON a.store_id = d.store_id AND a.id = d.asset_id
      LEFT JOIN media m ON m.store_id = a.store_id AND m.id = a.media_id
    WHERE d.store_id = $1 AND d.order_id = o.id) AS deliveries`;
