export { productKinds, productStatuses } from './products.dto';
