import { environment } from '@platform/runtime';
import { cacheContract } from './cache.contract';

cacheContract('in process', undefined);

if (environment.REDIS_URL) cacheContract('Redis', environment.REDIS_URL);
else process.stderr.write('REDIS_URL is not set: the cache was tested in process only.\n');
