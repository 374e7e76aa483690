export const assetNames = ['app.css', 'app.js', 'htmx.js', 'icons.svg', 'icon.svg'] as const;
export type AssetName = (typeof assetNames)[number];
export type AssetFiles = Readonly<Record<AssetName, Buffer | string>>;
