import { Text } from '@platform/validation';

const UTM = { optional: true, max: 200, trim: true };

/** From where somebody came, as the address of the page said it. */
export class Utm {
  @Text(UTM) source?: string;
  @Text(UTM) medium?: string;
  @Text(UTM) campaign?: string;
  @Text(UTM) content?: string;
  @Text(UTM) term?: string;
  @Text({ ...UTM, description: '`utm_id`: the code of a short link, which puts it into the address that it opens' })
  id?: string;
}

/** Its members as the columns of reports and the parameters of addresses name them. */
export const utmNames = ['source', 'medium', 'campaign', 'content', 'term', 'id'] as const;
