import { seeding } from '@platform/http';
import type { Area, AreaParts } from '../../area';
import type { Config } from '../../config';
import { catalogueAbilities } from './catalogue.abilities';
import { productsEndpoints } from './products/products.endpoints';
import { ProductsRepository } from './products/products.repository';
import { ProductsService } from './products/products.service';
import { seedCommand } from './seed/seed.command';
import { stockEndpoints } from './stock/stock.endpoints';
import { StockRepository } from './stock/stock.repository';
import { StockService } from './stock/stock.service';

/** Products and their stock. */
export const composeCatalogue = ({ PUBLIC_URL }: Config, { database, clock }: AreaParts): Area => ({
  endpoints: [
    ...stockEndpoints(new StockService(new StockRepository(database))),
    ...productsEndpoints(new ProductsService(new ProductsRepository(database), PUBLIC_URL)),
  ],
  components: [],
  abilities: catalogueAbilities,
  commands: { seed: seeding(seedCommand(database, clock)) },
});
