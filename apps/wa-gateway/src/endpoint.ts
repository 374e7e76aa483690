import { endpointsOf } from '@platform/http';

/** The contract asks for no authentication: `perimeter` stands for whatever the deployment puts in front (design 6). */
export const endpoint = endpointsOf<{
  perimeter: undefined;
  linked: undefined;
  deliberate: undefined;
  signed: undefined;
  public: undefined;
}>();
