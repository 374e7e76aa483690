import type { Principal } from '@platform/auth';
import { endpointsOf } from '@platform/http';

export const endpoint = endpointsOf<{ public: undefined; jwt: Principal }>();
