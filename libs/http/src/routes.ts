import { registrationsOf, type Service } from './service';

/** `service,METHOD,/path/{param},guard` for every registration, also for those that a later one replaces. */
export const routeLines = (service: Service): string[] =>
  registrationsOf(service).map(
    ({ endpoint, path, guard }) => `${service.name},${endpoint.method.toUpperCase()},${path},${guard.label}`,
  );
