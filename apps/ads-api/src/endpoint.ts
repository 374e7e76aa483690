import { endpointsOf } from '@platform/http';
import type { Application } from './guards';

export const endpoint = endpointsOf<{ signed: undefined; application: Application }>();
