// SPDX-License-Identifier: Apache-2.0
// kernels_arm.h: the cases of kernels_cuda_bench as calls from another program, a script that times
// other libraries say, so that they take turns with those on one device, in one context.
//
// A C interface, for ctypes. Every function that fails says so and why by kernels_arm_error. None
// may be called from two threads at once.
#pragma once

extern "C" {

struct KernelsArm;

// `sets` calls of the case of that name ("rmsnorm/device:cuda/impl:vector/.../cache:cold", with or
// without "/manual_time") on distinct buffers of random inputs, or null. Work is queued on
// `stream`, a cudaStream_t of device 0's primary context.
KernelsArm* kernels_arm_bind(const char* name, int sets);

// Queues call `set` on `stream`; 0, or 1 where it failed. The first call of a product tries
// algorithms and may not be captured.
int kernels_arm_launch(KernelsArm* arm, int set, void* stream);

// 0 where the outputs of call `set` are what the plain implementation makes of its inputs, else 1.
// Waits for the device.
int kernels_arm_check(KernelsArm* arm, int set);

// Null is allowed.
void kernels_arm_free(KernelsArm* arm);

// Of the last function that failed; empty before.
const char* kernels_arm_error(void);
}
