#!/usr/bin/env python3
"""Writes a large SQLite export as Nsight Systems makes them, to time the reader of traces with.

    python3 benchmarks/make_nsys_export.py FILE [KERNELS]

Every kernel (1,000,000 unless said otherwise) has a call of the runtime that launched it, on one of two processes with a GPU
each; there is a copy for eight of them and an operator for two. Columns, and so the size of a row, are those of version
2026.2.
"""

import sqlite3
import sys

KERNEL = """start end deviceId contextId greenContextId streamId correlationId globalPid demangledName shortName mangledName
launchType cacheConfig registersPerThread gridX gridY gridZ blockX blockY blockZ staticSharedMemory dynamicSharedMemory
localMemoryPerThread localMemoryTotal gridId sharedMemoryExecuted graphNodeId sharedMemoryLimitConfig qmdBulkReleaseDone
qmdPreexitDone qmdLastCtaDone graphId clusterX clusterY clusterZ clusterSchedulingPolicy maxPotentialClusterSize
maxActiveClusters sharedMemoryRequestedPercentage tensorSizeMinusOneElements""".split()
RUNTIME = "start end eventClass globalTid correlationId nameId returnValue callchainId".split()
MEMCPY = """start end deviceId contextId greenContextId streamId correlationId globalPid bytes copyKind deprecatedSrcId srcKind
dstKind srcDeviceId srcContextId dstDeviceId dstContextId migrationCause graphNodeId virtualAddress copyCount""".split()
NVTX = """start end eventType rangeId category color text globalTid endGlobalTid textId domainId uint64Value int64Value
doubleValue uint32Value int32Value floatValue jsonTextId jsonText binaryData""".split()
GPU = "id name totalMemory smCount computeMajor computeMinor maxWarpsPerSm maxBlocksPerSm maxRegistersPerSm maxShmemPerSm".split()
OPERATORS = ["aten::mm", "aten::add", "aten::relu", "aten::convolution", "aten::native_batch_norm"]


def process(device):
    return (1 << 48) | ((110 + device) << 24)


def kernel(i, start):
    device = i % 2
    return (start, start + 2000 + i % 7 * 900, device, 1, 0, 7, i + 1, process(device), 100 + i % 200, 400 + i % 40, 500, 1, 1,
            32 + i % 5 * 8, 64 + i % 900, 4, 1, 256, 1, 1, 0, 16384, 0, 250871808, i + 1, 32768, None, 0, None, None, None,
            None, 0, 0, 0, 1, 0, 0, None, "")


def runtime(i, start):
    thread = process(i % 2) + 110 + i % 2
    return (start - 9000, start - 4000, 0, thread, i + 1, 600 + i % 3, 0, None)


def memcpy(i, start):
    return (start + 100, start + 900, i % 2, 1, 0, 9, i + 1, process(i % 2), 65536, 1, None, 1, 2) + (None,) * 7 + (1,)


def nvtx(i, start):
    text = f"{OPERATORS[i % 5]}, seq = {i // 5}, op_id = {i}"
    thread = process(i % 2) + 110 + i % 2
    return (start - 9500, start - 3000, 59, None, None, None, text, thread) + (None,) * 12


def create(db, table, columns):
    quoted = ", ".join(f'"{column}" INTEGER' for column in columns)
    db.execute(f"CREATE TABLE {table} ({quoted})")


def insert(db, table, columns, rows):
    db.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})", rows)


def main():
    path = sys.argv[1]
    kernels = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    starts = range(10**9, 10**9 + kernels * 10_000, 10_000)
    db = sqlite3.connect(path)
    db.execute("PRAGMA synchronous=OFF")
    db.execute("CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)")
    names = [(100 + i, f"void at::native::vectorized_elementwise_kernel<{i}, Functor<float>>" + "x" * 80) for i in range(200)]
    names += [(400 + i, f"kernel{i}") for i in range(40)] + [(500, "_Z6kernel")]
    names += [(600, "cudaLaunchKernel_v7000"), (601, "cudaLaunchKernelExC_v11060"), (602, "cudaMemcpyAsync_v3020")]
    insert(db, "StringIds", "12", names)
    create(db, "TARGET_INFO_GPU", GPU)
    insert(db, "TARGET_INFO_GPU", GPU, [(i, "NVIDIA H100", 80 << 30, 132, 9, 0, 64, 32, 65536, 233472) for i in (0, 1)])
    for table, columns, row, every in (("CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, kernel, 1),
                                       ("CUPTI_ACTIVITY_KIND_RUNTIME", RUNTIME, runtime, 1),
                                       ("CUPTI_ACTIVITY_KIND_MEMCPY", MEMCPY, memcpy, 8),
                                       ("NVTX_EVENTS", NVTX, nvtx, 2)):
        create(db, table, columns)
        insert(db, table, columns, (row(i, starts[i]) for i in range(0, kernels, every)))
    db.commit()
    db.close()


if __name__ == "__main__":
    main()
