import type { ImportItem } from '../../../imports/public';
import type { ProductOption } from '../variants/public';
import type { NewProduct } from '../products/public';
import type { ProductCells } from './product.cells';

/** A variant as its rows tell it. */
export interface VariantItem extends Pick<
  ProductCells,
  'sku' | 'barcode' | 'price' | 'compare_at' | 'cost' | 'weight_g'
> {
  readonly option_values: Record<string, string>;
  readonly stock: { readonly warehouse_id: string; readonly on_hand: number }[];
}

/** A product as its rows tell it, the first row what all variants share. */
export interface ProductItem extends ImportItem {
  readonly rows: number[];
  readonly product: Pick<ProductCells, 'name' | 'slug' | 'kind' | 'description' | 'weight_g' | 'status'> & {
    readonly category_id?: string;
  };
  readonly options: ProductOption[];
  readonly variants: VariantItem[];
  image_url?: string | undefined;
}

/** What is left of an object without the members that are undefined. */
export const given = <T extends object>(values: T): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;

/** The item as a product that does not exist yet. */
export const newProductOf = ({ product, options, variants }: ProductItem): NewProduct =>
  ({
    ...product,
    ...(options.length > 0 ? { options } : {}),
    variants: variants.map((variant) =>
      given({ ...variant, weight_g: variant.weight_g === product.weight_g ? undefined : variant.weight_g }),
    ),
  }) as NewProduct;
