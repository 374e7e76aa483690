export { agentsOf } from './agents.sql';
export { AgentFigures, PaymentsRow, ProductFigures, SalesQuery, SalesRow, SpanQuery } from './figures.dto';
export { paymentsOf } from './payments.sql';
export { ProductDays } from './product.days';
export { productsOf } from './products.sql';
export { salesOf } from './sales.sql';
export { demandSpan, SPAN, within, type Span } from './span';
