import { Choice, Flag, Int, Json, Money, Nested, Text, Texts, clearing } from '@platform/validation';

/** How a store can be paid; `a`, `b` and `c` are gateways. */
export const methodCodes = ['cash', 'transfer', 'cod', 'a', 'b', 'c'] as const;
export type MethodCode = (typeof methodCodes)[number];
export const methodKinds = ['cash', 'transfer', 'cod', 'gateway'] as const;
export type MethodKind = (typeof methodKinds)[number];

const bearers = ['merchant', 'buyer'] as const;

/** `fixed` + `percent_bp` / 10,000 of goods and shipping. */
export class MethodFee {
  @Int({ min: 0, max: 10_000 }) percent_bp!: number;
  @Money() fixed!: number;
}

class MethodFields {
  @Flag({ optional: true }) enabled?: boolean;
  @Choice(bearers, { optional: true }) fee_bearer?: (typeof bearers)[number];
  @Nested(() => MethodFee, { optional: true, description: 'Not of a gateway that the platform has a contract with' })
  fee?: MethodFee;
  @Texts({ optional: true, max: 20, maxLength: 40, description: 'Of a gateway; none: all that it has' })
  channels?: string[];
  @Money({ optional: true, description: 'Smallest total that can be paid so; 0: any' }) min?: number;
  @Money({ optional: true, description: 'Largest total that can be paid so; 0: any' }) max?: number;
  @Json({ optional: true, description: 'Of a gateway: all of them, or none to take them away. Never shown again' })
  credentials?: object;
}

/** What is left out stays as it is. */
export class MethodBody extends clearing(MethodFields, {
  ...{ fee: { percent_bp: 0, fixed: 0 }, channels: [], min: 0, max: 0, credentials: {} },
}) {}

/** A way in which a store can be paid (design 2.2, Method). */
export class MethodView {
  @Choice(methodCodes) code!: MethodCode;
  @Choice(methodKinds) kind!: MethodKind;
  @Text({ description: 'As a payment names it' }) provider!: string;
  @Flag() enabled!: boolean;
  @Flag({ description: 'Has what it needs: an active account, credentials. Buyers see it only then' })
  configured!: boolean;
  @Choice(['platform', 'direct'], { description: '`direct`: the money goes to the merchant' })
  mode!: 'platform' | 'direct';
  @Choice(bearers) fee_bearer!: (typeof bearers)[number];
  @Nested(() => MethodFee) fee!: MethodFee;
  @Int({ nullable: true }) min!: number | null;
  @Int({ nullable: true }) max!: number | null;
  @Texts() channels!: string[];
}

/** A method as a buyer can choose it. */
export class OfferedMethod {
  @Choice(methodCodes) code!: MethodCode;
  @Choice(methodKinds) kind!: MethodKind;
  @Nested(() => MethodFee, { description: 'What the buyer pays for it' }) fee!: MethodFee;
}
