import { createMetrics } from './metrics';

describe('request times', () => {
  it('request times are counted by route, method and status in cumulative buckets, as Prometheus reads them', async () => {
    const metrics = createMetrics('spec');
    for (const seconds of [0.001, 0.002, 0.2, 60]) metrics.observe('POST', '/v1/echo', 200, seconds);
    metrics.observe('POST', '/v1/echo', 422, 0.5);
    const lines = (await metrics.render()).split('\n').filter((line) => line.includes('http_request_duration'));
    const of200 = (le: string, count: number) =>
      `http_request_duration_seconds_bucket{method="POST",route="/v1/echo",status="200",le="${le}",service="spec"} ${count}`;
    expect(lines).toEqual(
      expect.arrayContaining([
        '# HELP http_request_duration_seconds Requests by route template and status',
        '# TYPE http_request_duration_seconds histogram',
        of200('0.002', 2),
        of200('0.1', 2),
        of200('0.25', 3),
        of200('10', 3),
        of200('+Inf', 4),
        'http_request_duration_seconds_sum{method="POST",route="/v1/echo",status="200",service="spec"} 60.203',
        'http_request_duration_seconds_count{method="POST",route="/v1/echo",status="200",service="spec"} 4',
        'http_request_duration_seconds_count{method="POST",route="/v1/echo",status="422",service="spec"} 1',
      ]),
    );
  });
});
