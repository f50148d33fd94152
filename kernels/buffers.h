// SPDX-License-Identifier: Apache-2.0
// buffers.h: the buffers of each op's arguments by name, for whoever has to move, hash, poison or
// guard them without knowing the op.
//
//   VisitBuffers(args, in, out)
//
// calls in(name, buffer) for what the op reads and out(name, buffer) for what it writes, where
// buffer is the ConstView, View or span member itself, so that a visitor may also replace it.
#pragma once

#include "kernels/registry.h"

namespace kernels {

template <class In, class Out>
void VisitBuffers(CopyArgs& args, In&& in, Out&& out) {
  in("x", args.x);
  out("y", args.y);
}

template <class In, class Out>
void VisitBuffers(SumArgs& args, In&& in, Out&& out) {
  in("x", args.x);
  out("total", args.total);
}

template <class In, class Out>
void VisitBuffers(RmsNormArgs& args, In&& in, Out&& out) {
  in("x", args.x);
  in("weight", args.weight);
  out("y", args.y);
}

template <class In, class Out>
void VisitBuffers(ResidualRmsNormArgs& args, In&& in, Out&& out) {
  in("x", args.x);
  in("residual", args.residual);
  in("weight", args.weight);
  out("sum", args.sum);
  out("y", args.y);
}

template <class In, class Out>
void VisitBuffers(SoftmaxArgs& args, In&& in, Out&& out) {
  in("x", args.x);
  out("y", args.y);
}

template <class In, class Out>
void VisitBuffers(SiluMulArgs& args, In&& in, Out&& out) {
  in("gate", args.gate);
  in("up", args.up);
  out("y", args.y);
}

template <class In, class Out>
void VisitBuffers(RopeArgs& args, In&& in, Out&& out) {
  in("x", args.x);
  in("cos", args.cos);
  in("sin", args.sin);
  in("positions", args.positions);
  out("y", args.y);
}

template <class In, class Out>
void VisitBuffers(RopeAppendArgs& args, In&& in, Out&& out) {
  in("qkv", args.qkv);
  in("cos", args.cos);
  in("sin", args.sin);
  in("positions", args.positions);
  in("slots", args.slots);
  out("q", args.q);
  out("k_cache", args.k_cache);
  out("v_cache", args.v_cache);
}

template <class In, class Out>
void VisitBuffers(ConvertArgs& args, In&& in, Out&& out) {
  in("x", args.x);
  out("y", args.y);
}

template <class In, class Out>
void VisitBuffers(GemvArgs& args, In&& in, Out&& out) {
  in("weight", args.weight);
  in("x", args.x);
  out("y", args.y);
}

template <class In, class Out>
void VisitBuffers(GemvMxfp4Args& args, In&& in, Out&& out) {
  in("blocks", args.blocks);
  in("scales", args.scales);
  in("x", args.x);
  out("y", args.y);
}

template <class In, class Out>
void VisitBuffers(LogitsArgmaxArgs& args, In&& in, Out&& out) {
  in("weight", args.weight);
  in("x", args.x);
  out("ids", args.ids);
  out("value", args.value);
  out("ok", args.ok);
}

template <class In, class Out>
void VisitBuffers(DecodeAttentionArgs& args, In&& in, Out&& out) {
  in("q", args.q);
  in("k", args.k);
  in("v", args.v);
  in("lengths", args.lengths);
  out("out", args.out);
}

template <class In, class Out>
void VisitBuffers(ArgmaxArgs& args, In&& in, Out&& out) {
  in("x", args.x);
  out("ids", args.ids);
  out("ok", args.ok);
}

template <class In, class Out>
void VisitBuffers(TopKArgs& args, In&& in, Out&& out) {
  in("x", args.x);
  out("ids", args.ids);
  out("values", args.values);
  out("ok", args.ok);
}

template <class In, class Out>
void VisitBuffers(SampleArgs& args, In&& in, Out&& out) {
  in("logits", args.logits);
  out("ids", args.ids);
  out("probability", args.probability);
}

template <class In, class Out>
void VisitBuffers(GemmArgs& args, In&& in, Out&& out) {
  in("a", args.a);
  in("weight", args.weight);
  out("c", args.c);
}

}  // namespace kernels
