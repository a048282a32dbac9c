; ModuleID = 'k (piece 0)'
source_filename = "k (piece 0)"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind
define void @hither_cpu_entry(ptr noalias nocapture readonly %0, ptr noalias nocapture readonly %1, ptr noalias nocapture readnone %2) local_unnamed_addr #0 {
entry:
  %.1 = load ptr addrspace(1), ptr %0, align 8, !invariant.load !0
  %3 = getelementptr inbounds i8, ptr %0, i64 16
  %.3 = load ptr addrspace(1), ptr %3, align 8, !invariant.load !0
  %4 = getelementptr inbounds i8, ptr %0, i64 24
  %.4 = load i64, ptr %4, align 8, !invariant.load !0
  %5 = getelementptr inbounds i8, ptr %0, i64 32
  %.5 = load ptr addrspace(1), ptr %5, align 8, !invariant.load !0
  %6 = getelementptr inbounds i8, ptr %0, i64 48
  %.7 = load ptr addrspace(1), ptr %6, align 8, !invariant.load !0
  %begin = load i64, ptr %1, align 8, !range !1, !invariant.load !0
  %7 = getelementptr inbounds i8, ptr %1, i64 8
  %begin5 = load i64, ptr %7, align 8, !range !1, !invariant.load !0
  %8 = getelementptr inbounds i8, ptr %1, i64 16
  %begin6 = load i64, ptr %8, align 8, !range !1, !invariant.load !0
  %9 = getelementptr inbounds i8, ptr %1, i64 24
  %end = load i64, ptr %9, align 8, !range !1, !invariant.load !0
  %10 = getelementptr inbounds i8, ptr %1, i64 32
  %end7 = load i64, ptr %10, align 8, !range !1, !invariant.load !0
  %11 = getelementptr inbounds i8, ptr %1, i64 40
  %end8 = load i64, ptr %11, align 8, !range !1, !invariant.load !0
  %12 = icmp ult i64 %begin5, %end7
  br i1 %12, label %items.preheader, label %exit

items.preheader:                                  ; preds = %entry
  %13 = icmp ult i64 %begin6, %end8
  %14 = sub nsw i64 %end, %begin
  %15 = tail call i64 @llvm.smax.i64(i64 %14, i64 0)
  %16 = and i64 %15, 9223372036854775776
  %17 = add nuw nsw i64 %16, %begin
  %.not = icmp eq i64 %16, 0
  %18 = icmp ult i64 %17, %end
  br i1 %13, label %items.us.preheader, label %exit

items.us.preheader:                               ; preds = %items.preheader
  %19 = shl i64 %begin, 3
  %20 = getelementptr i8, ptr addrspace(1) %.1, i64 %19
  %invariant.gep = getelementptr i8, ptr addrspace(1) %.3, i64 8
  %invariant.gep206 = getelementptr double, ptr addrspace(1) %invariant.gep, i64 %.4
  %invariant.gep208 = getelementptr i8, ptr addrspace(1) %.3, i64 16
  %invariant.gep210 = getelementptr i8, ptr addrspace(1) %.3, i64 24
  %invariant.gep212 = getelementptr i8, ptr addrspace(1) %.3, i64 32
  %broadcast.splatinsert275 = insertelement <8 x i64> poison, i64 %.4, i64 0
  %broadcast.splat276 = shufflevector <8 x i64> %broadcast.splatinsert275, <8 x i64> poison, <8 x i32> zeroinitializer
  br label %items.us

items.us:                                         ; preds = %items.us.preheader, %next.loopexit.us
  %.sroa.0451.0 = phi <16 x i8> [ undef, %items.us.preheader ], [ %.sroa.0451.2, %next.loopexit.us ]
  %.sroa.7455.0 = phi <16 x i8> [ undef, %items.us.preheader ], [ %.sroa.7455.2, %next.loopexit.us ]
  %.sroa.0479.0 = phi <16 x i8> [ undef, %items.us.preheader ], [ %.sroa.0479.2, %next.loopexit.us ]
  %.sroa.7483.0 = phi <16 x i8> [ undef, %items.us.preheader ], [ %.sroa.7483.2, %next.loopexit.us ]
  %.sroa.0495.0 = phi <16 x i8> [ undef, %items.us.preheader ], [ %.sroa.0495.2, %next.loopexit.us ]
  %.sroa.5497.0 = phi <16 x i8> [ undef, %items.us.preheader ], [ %.sroa.5497.2, %next.loopexit.us ]
  %.sroa.0515.0 = phi <16 x i8> [ undef, %items.us.preheader ], [ %.sroa.0515.2, %next.loopexit.us ]
  %.sroa.5517.0 = phi <16 x i8> [ undef, %items.us.preheader ], [ %.sroa.5517.2, %next.loopexit.us ]
  %.sroa.6442.0 = phi <8 x i64> [ undef, %items.us.preheader ], [ %.sroa.6442.2, %next.loopexit.us ]
  %.sroa.5441.0 = phi <8 x i64> [ undef, %items.us.preheader ], [ %.sroa.5441.2, %next.loopexit.us ]
  %.sroa.4440.0 = phi <8 x i64> [ undef, %items.us.preheader ], [ %.sroa.4440.2, %next.loopexit.us ]
  %.sroa.0439.0 = phi <8 x i64> [ undef, %items.us.preheader ], [ %.sroa.0439.2, %next.loopexit.us ]
  %.sroa.6428.0 = phi <8 x i64> [ undef, %items.us.preheader ], [ %.sroa.6428.2, %next.loopexit.us ]
  %.sroa.5427.0 = phi <8 x i64> [ undef, %items.us.preheader ], [ %.sroa.5427.2, %next.loopexit.us ]
  %.sroa.4.0 = phi <8 x i64> [ undef, %items.us.preheader ], [ %.sroa.4.2, %next.loopexit.us ]
  %.sroa.0426.0 = phi <8 x i64> [ undef, %items.us.preheader ], [ %.sroa.0426.2, %next.loopexit.us ]
  %id.us = phi i64 [ %begin5, %items.us.preheader ], [ %1636, %next.loopexit.us ]
  br label %items9.us

items9.us:                                        ; preds = %items.us, %next10.us
  %.sroa.0451.1 = phi <16 x i8> [ %.sroa.0451.0, %items.us ], [ %.sroa.0451.2, %next10.us ]
  %.sroa.7455.1 = phi <16 x i8> [ %.sroa.7455.0, %items.us ], [ %.sroa.7455.2, %next10.us ]
  %.sroa.0479.1 = phi <16 x i8> [ %.sroa.0479.0, %items.us ], [ %.sroa.0479.2, %next10.us ]
  %.sroa.7483.1 = phi <16 x i8> [ %.sroa.7483.0, %items.us ], [ %.sroa.7483.2, %next10.us ]
  %.sroa.0495.1 = phi <16 x i8> [ %.sroa.0495.0, %items.us ], [ %.sroa.0495.2, %next10.us ]
  %.sroa.5497.1 = phi <16 x i8> [ %.sroa.5497.0, %items.us ], [ %.sroa.5497.2, %next10.us ]
  %.sroa.0515.1 = phi <16 x i8> [ %.sroa.0515.0, %items.us ], [ %.sroa.0515.2, %next10.us ]
  %.sroa.5517.1 = phi <16 x i8> [ %.sroa.5517.0, %items.us ], [ %.sroa.5517.2, %next10.us ]
  %.sroa.6442.1 = phi <8 x i64> [ %.sroa.6442.0, %items.us ], [ %.sroa.6442.2, %next10.us ]
  %.sroa.5441.1 = phi <8 x i64> [ %.sroa.5441.0, %items.us ], [ %.sroa.5441.2, %next10.us ]
  %.sroa.4440.1 = phi <8 x i64> [ %.sroa.4440.0, %items.us ], [ %.sroa.4440.2, %next10.us ]
  %.sroa.0439.1 = phi <8 x i64> [ %.sroa.0439.0, %items.us ], [ %.sroa.0439.2, %next10.us ]
  %.sroa.6428.1 = phi <8 x i64> [ %.sroa.6428.0, %items.us ], [ %.sroa.6428.2, %next10.us ]
  %.sroa.5427.1 = phi <8 x i64> [ %.sroa.5427.0, %items.us ], [ %.sroa.5427.2, %next10.us ]
  %.sroa.4.1 = phi <8 x i64> [ %.sroa.4.0, %items.us ], [ %.sroa.4.2, %next10.us ]
  %.sroa.0426.1 = phi <8 x i64> [ %.sroa.0426.0, %items.us ], [ %.sroa.0426.2, %next10.us ]
  %id11.us = phi i64 [ %begin6, %items.us ], [ %30, %next10.us ]
  br i1 %.not, label %rest.us, label %strip.us

rest.us:                                          ; preds = %region159.i.us, %items9.us
  %.sroa.0451.2 = phi <16 x i8> [ %.sroa.0451.1, %items9.us ], [ %.sroa.0451.5, %region159.i.us ]
  %.sroa.7455.2 = phi <16 x i8> [ %.sroa.7455.1, %items9.us ], [ %.sroa.7455.5, %region159.i.us ]
  %.sroa.0479.2 = phi <16 x i8> [ %.sroa.0479.1, %items9.us ], [ %.sroa.0479.8.vecblend, %region159.i.us ]
  %.sroa.7483.2 = phi <16 x i8> [ %.sroa.7483.1, %items9.us ], [ %.sroa.7483.24.vecblend, %region159.i.us ]
  %.sroa.0495.2 = phi <16 x i8> [ %.sroa.0495.1, %items9.us ], [ %.sroa.0495.5, %region159.i.us ]
  %.sroa.5497.2 = phi <16 x i8> [ %.sroa.5497.1, %items9.us ], [ %.sroa.5497.5, %region159.i.us ]
  %.sroa.0515.2 = phi <16 x i8> [ %.sroa.0515.1, %items9.us ], [ %.sroa.0515.8.vecblend, %region159.i.us ]
  %.sroa.5517.2 = phi <16 x i8> [ %.sroa.5517.1, %items9.us ], [ %.sroa.5517.24.vecblend, %region159.i.us ]
  %.sroa.6442.2 = phi <8 x i64> [ %.sroa.6442.1, %items9.us ], [ %.sroa.6442.5, %region159.i.us ]
  %.sroa.5441.2 = phi <8 x i64> [ %.sroa.5441.1, %items9.us ], [ %.sroa.5441.5, %region159.i.us ]
  %.sroa.4440.2 = phi <8 x i64> [ %.sroa.4440.1, %items9.us ], [ %.sroa.4440.5, %region159.i.us ]
  %.sroa.0439.2 = phi <8 x i64> [ %.sroa.0439.1, %items9.us ], [ %.sroa.0439.5, %region159.i.us ]
  %.sroa.6428.2 = phi <8 x i64> [ %.sroa.6428.1, %items9.us ], [ %.sroa.6428.4, %region159.i.us ]
  %.sroa.5427.2 = phi <8 x i64> [ %.sroa.5427.1, %items9.us ], [ %.sroa.5427.4, %region159.i.us ]
  %.sroa.4.2 = phi <8 x i64> [ %.sroa.4.1, %items9.us ], [ %.sroa.4.4, %region159.i.us ]
  %.sroa.0426.2 = phi <8 x i64> [ %.sroa.0426.1, %items9.us ], [ %.sroa.0426.4, %region159.i.us ]
  br i1 %18, label %items12.us, label %next10.us

items12.us:                                       ; preds = %rest.us, %k.exit.us
  %id14.us = phi i64 [ %1638, %k.exit.us ], [ %17, %rest.us ]
  %.83.i.i.us = getelementptr double, ptr addrspace(1) %.1, i64 %id14.us
  %.84.i.i.us = load double, ptr addrspace(1) %.83.i.i.us, align 8, !llvm.access.group !2
  %.88.i.i.us = fcmp ogt double %.84.i.i.us, 1.000000e+00
  br i1 %.88.i.i.us, label %B76.i.i.us, label %B132.i.i.us.peel.next.thread

B132.i.i.us.peel.next.thread:                     ; preds = %items12.us
  %.140.i.i.us137 = getelementptr double, ptr addrspace(1) %.7, i64 %id14.us
  store double 0.000000e+00, ptr addrspace(1) %.140.i.i.us137, align 8, !llvm.access.group !2
  %.297.i.i.us140 = getelementptr double, ptr addrspace(1) %.5, i64 %id14.us
  %.182.i.i.us34.peel163 = load double, ptr addrspace(1) %.3, align 8, !llvm.access.group !2
  store double 1.000000e+00, ptr addrspace(1) %.140.i.i.us137, align 8, !llvm.access.group !2
  %.302.i.i.us37.peel165 = fadd double %.182.i.i.us34.peel163, 0.000000e+00
  br label %B132.i.i.us.peel.next48.thread

B76.i.i.us:                                       ; preds = %items12.us, %B76.i.i.us
  %v.2.i.0.i.us = phi double [ %.91.i.i.us, %B76.i.i.us ], [ %.84.i.i.us, %items12.us ]
  %n.2.i.0.i.us = phi i64 [ %.95.i.i.us, %B76.i.i.us ], [ 0, %items12.us ]
  %.91.i.i.us = fmul double %v.2.i.0.i.us, 5.000000e-01
  %.95.i.i.us = add i64 %n.2.i.0.i.us, 1
  %.100.i.i.us = fcmp ogt double %.91.i.i.us, 1.000000e+00
  br i1 %.100.i.i.us, label %B76.i.i.us, label %B108.i.i.us

B108.i.i.us:                                      ; preds = %B76.i.i.us
  %.140.i.i.us = getelementptr double, ptr addrspace(1) %.7, i64 %id14.us
  %.141.i.i.us = sitofp i64 %.95.i.i.us to double
  store double %.141.i.i.us, ptr addrspace(1) %.140.i.i.us, align 8, !llvm.access.group !2
  %.318.i.i.us = icmp slt i64 %.95.i.i.us, 9
  %.297.i.i.us = getelementptr double, ptr addrspace(1) %.5, i64 %id14.us
  br i1 %.318.i.i.us, label %B132.i.i.us.preheader, label %B108.i.i.split.us.us

B132.i.i.us.preheader:                            ; preds = %B108.i.i.us
  %.329.i.i.us = sub i64 11, %n.2.i.0.i.us
  %.166.i.i.us.peel = icmp slt i64 %.95.i.i.us, 0
  %spec.select = select i1 %.166.i.i.us.peel, i64 %.4, i64 0
  %21 = getelementptr double, ptr addrspace(1) %.3, i64 %.95.i.i.us
  %.181.i.i.us.peel = getelementptr double, ptr addrspace(1) %21, i64 %spec.select
  %.182.i.i.us34.peel = load double, ptr addrspace(1) %.181.i.i.us.peel, align 8, !llvm.access.group !2
  %.218.i.i.us36.peel = fadd double %.141.i.i.us, 1.000000e+00
  store double %.218.i.i.us36.peel, ptr addrspace(1) %.140.i.i.us, align 8, !llvm.access.group !2
  %.302.i.i.us37.peel = fadd double %.182.i.i.us34.peel, 0.000000e+00
  %exitcond47.peel.not = icmp slt i64 %.329.i.i.us, 2
  br i1 %exitcond47.peel.not, label %k.exit.us, label %B132.i.i.us.peel.next

B132.i.i.us.peel.next:                            ; preds = %B132.i.i.us.preheader
  %.166.i.i.us.peel51 = icmp slt i64 %.95.i.i.us, -1
  br i1 %.166.i.i.us.peel51, label %B132.i.i.us.peel.next48, label %B132.i.i.us.peel.next48.thread

B132.i.i.us.peel.next48.thread:                   ; preds = %B132.i.i.us.peel.next, %B132.i.i.us.peel.next.thread
  %.329.i.i.us156167186.ph = phi i64 [ 12, %B132.i.i.us.peel.next.thread ], [ %.329.i.i.us, %B132.i.i.us.peel.next ]
  %n.3.i.1.i.us.fr141155168185.ph = phi i64 [ 0, %B132.i.i.us.peel.next.thread ], [ %.95.i.i.us, %B132.i.i.us.peel.next ]
  %.140.i.i.us142154169184.ph = phi ptr addrspace(1) [ %.140.i.i.us137, %B132.i.i.us.peel.next.thread ], [ %.140.i.i.us, %B132.i.i.us.peel.next ]
  %.297.i.i.us144152170183.ph = phi ptr addrspace(1) [ %.297.i.i.us140, %B132.i.i.us.peel.next.thread ], [ %.297.i.i.us, %B132.i.i.us.peel.next ]
  %.218.i.i.us36.peel172182.ph = phi double [ 1.000000e+00, %B132.i.i.us.peel.next.thread ], [ %.218.i.i.us36.peel, %B132.i.i.us.peel.next ]
  %.302.i.i.us37.peel173181.ph = phi double [ %.302.i.i.us37.peel165, %B132.i.i.us.peel.next.thread ], [ %.302.i.i.us37.peel, %B132.i.i.us.peel.next ]
  %gep = getelementptr double, ptr addrspace(1) %invariant.gep, i64 %n.3.i.1.i.us.fr141155168185.ph
  %.182.i.i.us34.peel54194 = load double, ptr addrspace(1) %gep, align 8, !llvm.access.group !2
  %.218.i.i.us36.peel56195 = fadd double %.218.i.i.us36.peel172182.ph, 1.000000e+00
  store double %.218.i.i.us36.peel56195, ptr addrspace(1) %.140.i.i.us142154169184.ph, align 8, !llvm.access.group !2
  %.302.i.i.us37.peel61196 = fadd double %.302.i.i.us37.peel173181.ph, %.182.i.i.us34.peel54194
  br label %B248.i.i.us.peel107

B132.i.i.us.peel.next48:                          ; preds = %B132.i.i.us.peel.next
  %gep207 = getelementptr double, ptr addrspace(1) %invariant.gep206, i64 %.95.i.i.us
  %.182.i.i.us34.peel54 = load double, ptr addrspace(1) %gep207, align 8, !llvm.access.group !2
  %.218.i.i.us36.peel56 = fadd double %.218.i.i.us36.peel, 1.000000e+00
  store double %.218.i.i.us36.peel56, ptr addrspace(1) %.140.i.i.us, align 8, !llvm.access.group !2
  %.302.i.i.us37.peel61 = fadd double %.302.i.i.us37.peel, %.182.i.i.us34.peel54
  %.166.i.i.us.peel72.not = icmp eq i64 %.95.i.i.us, -2
  %spec.select215 = select i1 %.166.i.i.us.peel72.not, i64 0, i64 %.4
  br label %B248.i.i.us.peel107

B248.i.i.us.peel107:                              ; preds = %B132.i.i.us.peel.next48, %B132.i.i.us.peel.next48.thread
  %.302.i.i.us37.peel61203 = phi double [ %.302.i.i.us37.peel61196, %B132.i.i.us.peel.next48.thread ], [ %.302.i.i.us37.peel61, %B132.i.i.us.peel.next48 ]
  %.218.i.i.us36.peel56202 = phi double [ %.218.i.i.us36.peel56195, %B132.i.i.us.peel.next48.thread ], [ %.218.i.i.us36.peel56, %B132.i.i.us.peel.next48 ]
  %.297.i.i.us144152170183201 = phi ptr addrspace(1) [ %.297.i.i.us144152170183.ph, %B132.i.i.us.peel.next48.thread ], [ %.297.i.i.us, %B132.i.i.us.peel.next48 ]
  %.140.i.i.us142154169184200 = phi ptr addrspace(1) [ %.140.i.i.us142154169184.ph, %B132.i.i.us.peel.next48.thread ], [ %.140.i.i.us, %B132.i.i.us.peel.next48 ]
  %n.3.i.1.i.us.fr141155168185199 = phi i64 [ %n.3.i.1.i.us.fr141155168185.ph, %B132.i.i.us.peel.next48.thread ], [ %.95.i.i.us, %B132.i.i.us.peel.next48 ]
  %.329.i.i.us156167186198 = phi i64 [ %.329.i.i.us156167186.ph, %B132.i.i.us.peel.next48.thread ], [ %.329.i.i.us, %B132.i.i.us.peel.next48 ]
  %22 = phi i64 [ 0, %B132.i.i.us.peel.next48.thread ], [ %spec.select215, %B132.i.i.us.peel.next48 ]
  %gep209 = getelementptr double, ptr addrspace(1) %invariant.gep208, i64 %n.3.i.1.i.us.fr141155168185199
  %.181.i.i.us.peel74 = getelementptr double, ptr addrspace(1) %gep209, i64 %22
  %.182.i.i.us34.peel75 = load double, ptr addrspace(1) %.181.i.i.us.peel74, align 8, !llvm.access.group !2
  %.218.i.i.us36.peel77 = fadd double %.218.i.i.us36.peel56202, 1.000000e+00
  store double %.218.i.i.us36.peel77, ptr addrspace(1) %.140.i.i.us142154169184200, align 8, !llvm.access.group !2
  %.302.i.i.us37.peel82 = fadd double %.302.i.i.us37.peel61203, %.182.i.i.us34.peel75
  %.166.i.i.us.peel93 = icmp slt i64 %n.3.i.1.i.us.fr141155168185199, -3
  %.167.i.i.us.peel94 = select i1 %.166.i.i.us.peel93, i64 %.4, i64 0
  %gep211 = getelementptr double, ptr addrspace(1) %invariant.gep210, i64 %n.3.i.1.i.us.fr141155168185199
  %.181.i.i.us.peel95 = getelementptr double, ptr addrspace(1) %gep211, i64 %.167.i.i.us.peel94
  %.182.i.i.us34.peel96 = load double, ptr addrspace(1) %.181.i.i.us.peel95, align 8, !llvm.access.group !2
  %.218.i.i.us36.peel98 = fadd double %.218.i.i.us36.peel77, 1.000000e+00
  store double %.218.i.i.us36.peel98, ptr addrspace(1) %.140.i.i.us142154169184200, align 8, !llvm.access.group !2
  %.302.i.i.us37.peel103 = fadd double %.302.i.i.us37.peel82, %.182.i.i.us34.peel96
  %exitcond47.peel110.not = icmp eq i64 %n.3.i.1.i.us.fr141155168185199, 8
  br i1 %exitcond47.peel110.not, label %k.exit.us, label %B248.i.i.us.peel128

B248.i.i.us.peel128:                              ; preds = %B248.i.i.us.peel107
  %.166.i.i.us.peel114 = icmp slt i64 %n.3.i.1.i.us.fr141155168185199, -4
  %.167.i.i.us.peel115 = select i1 %.166.i.i.us.peel114, i64 %.4, i64 0
  %gep213 = getelementptr double, ptr addrspace(1) %invariant.gep212, i64 %n.3.i.1.i.us.fr141155168185199
  %.181.i.i.us.peel116 = getelementptr double, ptr addrspace(1) %gep213, i64 %.167.i.i.us.peel115
  %.182.i.i.us34.peel117 = load double, ptr addrspace(1) %.181.i.i.us.peel116, align 8, !llvm.access.group !2
  %.218.i.i.us36.peel119 = fadd double %.218.i.i.us36.peel98, 1.000000e+00
  store double %.218.i.i.us36.peel119, ptr addrspace(1) %.140.i.i.us142154169184200, align 8, !llvm.access.group !2
  %.302.i.i.us37.peel124 = fadd double %.302.i.i.us37.peel103, %.182.i.i.us34.peel117
  %exitcond47.peel131.not = icmp eq i64 %n.3.i.1.i.us.fr141155168185199, 7
  br i1 %exitcond47.peel131.not, label %k.exit.us, label %B132.i.i.us.preheader395

B132.i.i.us.preheader395:                         ; preds = %B248.i.i.us.peel128
  %23 = add i64 %.329.i.i.us156167186198, -5
  %24 = add i64 %.329.i.i.us156167186198, -6
  %xtraiter = and i64 %23, 3
  %25 = icmp ult i64 %24, 3
  br i1 %25, label %k.exit.us.loopexit.unr-lcssa, label %B132.i.i.us.preheader395.new

B132.i.i.us.preheader395.new:                     ; preds = %B132.i.i.us.preheader395
  %unroll_iter = and i64 %23, -4
  br label %B132.i.i.us

B132.i.i.us:                                      ; preds = %B248.i.i.us.3, %B132.i.i.us.preheader395.new
  %s.3.i.0.i.us = phi double [ %.302.i.i.us37.peel124, %B132.i.i.us.preheader395.new ], [ %s.4.i.1.i.us.3, %B248.i.i.us.3 ]
  %j.2.i.0.i.us = phi i64 [ 5, %B132.i.i.us.preheader395.new ], [ %.311.i.i.us.3, %B248.i.i.us.3 ]
  %niter = phi i64 [ 0, %B132.i.i.us.preheader395.new ], [ %niter.next.3, %B248.i.i.us.3 ]
  %.152.i.i.us = add nsw i64 %j.2.i.0.i.us, %n.3.i.1.i.us.fr141155168185199
  %.166.i.i.us = icmp slt i64 %.152.i.i.us, 0
  %.167.i.i.us = select i1 %.166.i.i.us, i64 %.4, i64 0
  %26 = getelementptr double, ptr addrspace(1) %.3, i64 %.152.i.i.us
  %.181.i.i.us = getelementptr double, ptr addrspace(1) %26, i64 %.167.i.i.us
  %.182.i.i.us34 = load double, ptr addrspace(1) %.181.i.i.us, align 8, !llvm.access.group !2
  %.216.i.i.us35 = load double, ptr addrspace(1) %.140.i.i.us142154169184200, align 8, !llvm.access.group !2
  %.218.i.i.us36 = fadd double %.216.i.i.us35, 1.000000e+00
  store double %.218.i.i.us36, ptr addrspace(1) %.140.i.i.us142154169184200, align 8, !llvm.access.group !2
  %.254.i.i.us = fcmp ogt double %s.3.i.0.i.us, 3.000000e+01
  br i1 %.254.i.i.us, label %B210.i.i.us, label %B238.i.i.us

B238.i.i.us:                                      ; preds = %B132.i.i.us
  %.302.i.i.us37 = fadd double %s.3.i.0.i.us, %.182.i.i.us34
  br label %B248.i.i.us

B210.i.i.us:                                      ; preds = %B132.i.i.us
  %.258.i.i.us = fmul double %.182.i.i.us34, 2.000000e+00
  %.262.i.i.us = fadd double %s.3.i.0.i.us, %.258.i.i.us
  store double %.262.i.i.us, ptr addrspace(1) %.297.i.i.us144152170183201, align 8, !llvm.access.group !2
  br label %B248.i.i.us

B248.i.i.us:                                      ; preds = %B210.i.i.us, %B238.i.i.us
  %s.4.i.1.i.us = phi double [ %.262.i.i.us, %B210.i.i.us ], [ %.302.i.i.us37, %B238.i.i.us ]
  %.311.i.i.us = add nuw nsw i64 %j.2.i.0.i.us, 1
  %.152.i.i.us.1 = add nsw i64 %.311.i.i.us, %n.3.i.1.i.us.fr141155168185199
  %.166.i.i.us.1 = icmp slt i64 %.152.i.i.us.1, 0
  %.167.i.i.us.1 = select i1 %.166.i.i.us.1, i64 %.4, i64 0
  %27 = getelementptr double, ptr addrspace(1) %.3, i64 %.152.i.i.us.1
  %.181.i.i.us.1 = getelementptr double, ptr addrspace(1) %27, i64 %.167.i.i.us.1
  %.182.i.i.us34.1 = load double, ptr addrspace(1) %.181.i.i.us.1, align 8, !llvm.access.group !2
  %.216.i.i.us35.1 = load double, ptr addrspace(1) %.140.i.i.us142154169184200, align 8, !llvm.access.group !2
  %.218.i.i.us36.1 = fadd double %.216.i.i.us35.1, 1.000000e+00
  store double %.218.i.i.us36.1, ptr addrspace(1) %.140.i.i.us142154169184200, align 8, !llvm.access.group !2
  %.254.i.i.us.1 = fcmp ogt double %s.4.i.1.i.us, 3.000000e+01
  br i1 %.254.i.i.us.1, label %B210.i.i.us.1, label %B238.i.i.us.1

B238.i.i.us.1:                                    ; preds = %B248.i.i.us
  %.302.i.i.us37.1 = fadd double %s.4.i.1.i.us, %.182.i.i.us34.1
  br label %B248.i.i.us.1

B210.i.i.us.1:                                    ; preds = %B248.i.i.us
  %.258.i.i.us.1 = fmul double %.182.i.i.us34.1, 2.000000e+00
  %.262.i.i.us.1 = fadd double %s.4.i.1.i.us, %.258.i.i.us.1
  store double %.262.i.i.us.1, ptr addrspace(1) %.297.i.i.us144152170183201, align 8, !llvm.access.group !2
  br label %B248.i.i.us.1

B248.i.i.us.1:                                    ; preds = %B210.i.i.us.1, %B238.i.i.us.1
  %s.4.i.1.i.us.1 = phi double [ %.262.i.i.us.1, %B210.i.i.us.1 ], [ %.302.i.i.us37.1, %B238.i.i.us.1 ]
  %.311.i.i.us.1 = add nuw nsw i64 %j.2.i.0.i.us, 2
  %.152.i.i.us.2 = add nsw i64 %.311.i.i.us.1, %n.3.i.1.i.us.fr141155168185199
  %.166.i.i.us.2 = icmp slt i64 %.152.i.i.us.2, 0
  %.167.i.i.us.2 = select i1 %.166.i.i.us.2, i64 %.4, i64 0
  %28 = getelementptr double, ptr addrspace(1) %.3, i64 %.152.i.i.us.2
  %.181.i.i.us.2 = getelementptr double, ptr addrspace(1) %28, i64 %.167.i.i.us.2
  %.182.i.i.us34.2 = load double, ptr addrspace(1) %.181.i.i.us.2, align 8, !llvm.access.group !2
  %.216.i.i.us35.2 = load double, ptr addrspace(1) %.140.i.i.us142154169184200, align 8, !llvm.access.group !2
  %.218.i.i.us36.2 = fadd double %.216.i.i.us35.2, 1.000000e+00
  store double %.218.i.i.us36.2, ptr addrspace(1) %.140.i.i.us142154169184200, align 8, !llvm.access.group !2
  %.254.i.i.us.2 = fcmp ogt double %s.4.i.1.i.us.1, 3.000000e+01
  br i1 %.254.i.i.us.2, label %B210.i.i.us.2, label %B238.i.i.us.2

B238.i.i.us.2:                                    ; preds = %B248.i.i.us.1
  %.302.i.i.us37.2 = fadd double %s.4.i.1.i.us.1, %.182.i.i.us34.2
  br label %B248.i.i.us.2

B210.i.i.us.2:                                    ; preds = %B248.i.i.us.1
  %.258.i.i.us.2 = fmul double %.182.i.i.us34.2, 2.000000e+00
  %.262.i.i.us.2 = fadd double %s.4.i.1.i.us.1, %.258.i.i.us.2
  store double %.262.i.i.us.2, ptr addrspace(1) %.297.i.i.us144152170183201, align 8, !llvm.access.group !2
  br label %B248.i.i.us.2

B248.i.i.us.2:                                    ; preds = %B210.i.i.us.2, %B238.i.i.us.2
  %s.4.i.1.i.us.2 = phi double [ %.262.i.i.us.2, %B210.i.i.us.2 ], [ %.302.i.i.us37.2, %B238.i.i.us.2 ]
  %.311.i.i.us.2 = add nuw nsw i64 %j.2.i.0.i.us, 3
  %.152.i.i.us.3 = add nsw i64 %.311.i.i.us.2, %n.3.i.1.i.us.fr141155168185199
  %.166.i.i.us.3 = icmp slt i64 %.152.i.i.us.3, 0
  %.167.i.i.us.3 = select i1 %.166.i.i.us.3, i64 %.4, i64 0
  %29 = getelementptr double, ptr addrspace(1) %.3, i64 %.152.i.i.us.3
  %.181.i.i.us.3 = getelementptr double, ptr addrspace(1) %29, i64 %.167.i.i.us.3
  %.182.i.i.us34.3 = load double, ptr addrspace(1) %.181.i.i.us.3, align 8, !llvm.access.group !2
  %.216.i.i.us35.3 = load double, ptr addrspace(1) %.140.i.i.us142154169184200, align 8, !llvm.access.group !2
  %.218.i.i.us36.3 = fadd double %.216.i.i.us35.3, 1.000000e+00
  store double %.218.i.i.us36.3, ptr addrspace(1) %.140.i.i.us142154169184200, align 8, !llvm.access.group !2
  %.254.i.i.us.3 = fcmp ogt double %s.4.i.1.i.us.2, 3.000000e+01
  br i1 %.254.i.i.us.3, label %B210.i.i.us.3, label %B238.i.i.us.3

B238.i.i.us.3:                                    ; preds = %B248.i.i.us.2
  %.302.i.i.us37.3 = fadd double %s.4.i.1.i.us.2, %.182.i.i.us34.3
  br label %B248.i.i.us.3

B210.i.i.us.3:                                    ; preds = %B248.i.i.us.2
  %.258.i.i.us.3 = fmul double %.182.i.i.us34.3, 2.000000e+00
  %.262.i.i.us.3 = fadd double %s.4.i.1.i.us.2, %.258.i.i.us.3
  store double %.262.i.i.us.3, ptr addrspace(1) %.297.i.i.us144152170183201, align 8, !llvm.access.group !2
  br label %B248.i.i.us.3

B248.i.i.us.3:                                    ; preds = %B210.i.i.us.3, %B238.i.i.us.3
  %s.4.i.1.i.us.3 = phi double [ %.262.i.i.us.3, %B210.i.i.us.3 ], [ %.302.i.i.us37.3, %B238.i.i.us.3 ]
  %.311.i.i.us.3 = add nuw nsw i64 %j.2.i.0.i.us, 4
  %niter.next.3 = add i64 %niter, 4
  %niter.ncmp.3 = icmp eq i64 %niter.next.3, %unroll_iter
  br i1 %niter.ncmp.3, label %k.exit.us.loopexit.unr-lcssa, label %B132.i.i.us, !llvm.loop !3

next10.us:                                        ; preds = %k.exit.us, %rest.us
  %30 = add nuw nsw i64 %id11.us, 1
  %exitcond133.not = icmp eq i64 %30, %end8
  br i1 %exitcond133.not, label %next.loopexit.us, label %items9.us, !llvm.loop !5

strip.us:                                         ; preds = %items9.us, %region159.i.us
  %.sroa.0451.3 = phi <16 x i8> [ %.sroa.0451.5, %region159.i.us ], [ %.sroa.0451.1, %items9.us ]
  %.sroa.7455.3 = phi <16 x i8> [ %.sroa.7455.5, %region159.i.us ], [ %.sroa.7455.1, %items9.us ]
  %.sroa.0495.3 = phi <16 x i8> [ %.sroa.0495.5, %region159.i.us ], [ %.sroa.0495.1, %items9.us ]
  %.sroa.5497.3 = phi <16 x i8> [ %.sroa.5497.5, %region159.i.us ], [ %.sroa.5497.1, %items9.us ]
  %.sroa.6442.3 = phi <8 x i64> [ %.sroa.6442.5, %region159.i.us ], [ %.sroa.6442.1, %items9.us ]
  %.sroa.5441.3 = phi <8 x i64> [ %.sroa.5441.5, %region159.i.us ], [ %.sroa.5441.1, %items9.us ]
  %.sroa.4440.3 = phi <8 x i64> [ %.sroa.4440.5, %region159.i.us ], [ %.sroa.4440.1, %items9.us ]
  %.sroa.0439.3 = phi <8 x i64> [ %.sroa.0439.5, %region159.i.us ], [ %.sroa.0439.1, %items9.us ]
  %.sroa.6428.3 = phi <8 x i64> [ %.sroa.6428.4, %region159.i.us ], [ %.sroa.6428.1, %items9.us ]
  %.sroa.5427.3 = phi <8 x i64> [ %.sroa.5427.4, %region159.i.us ], [ %.sroa.5427.1, %items9.us ]
  %.sroa.4.3 = phi <8 x i64> [ %.sroa.4.4, %region159.i.us ], [ %.sroa.4.1, %items9.us ]
  %.sroa.0426.3 = phi <8 x i64> [ %.sroa.0426.4, %region159.i.us ], [ %.sroa.0426.1, %items9.us ]
  %indvar = phi i64 [ %indvar.next, %region159.i.us ], [ 0, %items9.us ]
  %first33.us = phi i64 [ %1599, %region159.i.us ], [ %begin, %items9.us ]
  tail call void @llvm.sideeffect()
  %invariant.gep.us = getelementptr double, ptr addrspace(1) %.1, i64 %first33.us
  %31 = shl i64 %indvar, 8
  %scevgep = getelementptr i8, ptr addrspace(1) %20, i64 %31
  %wide.load391 = load <8 x double>, ptr addrspace(1) %invariant.gep.us, align 8, !llvm.access.group !7
  %32 = fcmp ogt <8 x double> %wide.load391, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  %33 = zext <8 x i1> %32 to <8 x i8>
  %.sroa.0515.0.vec.expand = shufflevector <8 x i8> %33, <8 x i8> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %34 = getelementptr i8, ptr addrspace(1) %invariant.gep.us, i64 64
  %wide.load391.1 = load <8 x double>, ptr addrspace(1) %34, align 8, !llvm.access.group !7
  %35 = fcmp ogt <8 x double> %wide.load391.1, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  %36 = zext <8 x i1> %35 to <8 x i8>
  %.sroa.0515.8.vec.expand = shufflevector <8 x i8> %36, <8 x i8> poison, <16 x i32> <i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %.sroa.0515.8.vecblend = shufflevector <16 x i8> %.sroa.0515.0.vec.expand, <16 x i8> %.sroa.0515.8.vec.expand, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %37 = getelementptr i8, ptr addrspace(1) %invariant.gep.us, i64 128
  %wide.load391.2 = load <8 x double>, ptr addrspace(1) %37, align 8, !llvm.access.group !7
  %38 = fcmp ogt <8 x double> %wide.load391.2, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  %39 = zext <8 x i1> %38 to <8 x i8>
  %.sroa.5517.16.vec.expand = shufflevector <8 x i8> %39, <8 x i8> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %40 = getelementptr i8, ptr addrspace(1) %invariant.gep.us, i64 192
  %wide.load391.3 = load <8 x double>, ptr addrspace(1) %40, align 8, !llvm.access.group !7
  %41 = fcmp ogt <8 x double> %wide.load391.3, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  %42 = zext <8 x i1> %41 to <8 x i8>
  %.sroa.5517.24.vec.expand = shufflevector <8 x i8> %42, <8 x i8> poison, <16 x i32> <i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %.sroa.5517.24.vecblend = shufflevector <16 x i8> %.sroa.5517.16.vec.expand, <16 x i8> %.sroa.5517.24.vec.expand, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  tail call void @llvm.sideeffect()
  %.sroa.0431.0.copyload432 = load <8 x double>, ptr addrspace(1) %scevgep, align 8
  %.sroa.5433.0.scevgep.sroa_idx = getelementptr inbounds i8, ptr addrspace(1) %scevgep, i64 64
  %.sroa.5433.0.copyload434 = load <8 x double>, ptr addrspace(1) %.sroa.5433.0.scevgep.sroa_idx, align 8
  %.sroa.6435.0.scevgep.sroa_idx = getelementptr inbounds i8, ptr addrspace(1) %scevgep, i64 128
  %.sroa.6435.0.copyload436 = load <8 x double>, ptr addrspace(1) %.sroa.6435.0.scevgep.sroa_idx, align 8
  %.sroa.7437.0.scevgep.sroa_idx = getelementptr inbounds i8, ptr addrspace(1) %scevgep, i64 192
  %.sroa.7437.0.copyload438 = load <8 x double>, ptr addrspace(1) %.sroa.7437.0.scevgep.sroa_idx, align 8
  %43 = or <16 x i8> %.sroa.5517.24.vecblend, %.sroa.0515.8.vecblend
  %44 = shufflevector <16 x i8> %43, <16 x i8> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %45 = shufflevector <16 x i8> %43, <16 x i8> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %46 = or <8 x i8> %44, %45
  %47 = shufflevector <8 x i8> %46, <8 x i8> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %48 = shufflevector <8 x i8> %46, <8 x i8> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %49 = or <4 x i8> %47, %48
  %50 = shufflevector <4 x i8> %49, <4 x i8> poison, <2 x i32> <i32 0, i32 1>
  %51 = shufflevector <4 x i8> %49, <4 x i8> poison, <2 x i32> <i32 2, i32 3>
  %52 = or <2 x i8> %50, %51
  %53 = shufflevector <2 x i8> %52, <2 x i8> poison, <1 x i32> zeroinitializer
  %54 = shufflevector <2 x i8> %52, <2 x i8> poison, <1 x i32> <i32 1>
  %55 = or <1 x i8> %53, %54
  %56 = extractelement <1 x i8> %55, i64 0
  %57 = icmp eq i8 %56, 0
  br i1 %57, label %region155.i.us, label %region153.i.us

region153.i.us:                                   ; preds = %strip.us, %region153.i.us
  %.sroa.6442.4 = phi <8 x i64> [ %78, %region153.i.us ], [ %.sroa.6442.3, %strip.us ]
  %.sroa.5441.4 = phi <8 x i64> [ %73, %region153.i.us ], [ %.sroa.5441.3, %strip.us ]
  %.sroa.4440.4 = phi <8 x i64> [ %68, %region153.i.us ], [ %.sroa.4440.3, %strip.us ]
  %.sroa.0439.4 = phi <8 x i64> [ %63, %region153.i.us ], [ %.sroa.0439.3, %strip.us ]
  %.sroa.7437.0 = phi <8 x double> [ %93, %region153.i.us ], [ %.sroa.7437.0.copyload438, %strip.us ]
  %.sroa.6435.0 = phi <8 x double> [ %94, %region153.i.us ], [ %.sroa.6435.0.copyload436, %strip.us ]
  %.sroa.5433.0 = phi <8 x double> [ %95, %region153.i.us ], [ %.sroa.5433.0.copyload434, %strip.us ]
  %.sroa.0431.0 = phi <8 x double> [ %96, %region153.i.us ], [ %.sroa.0431.0.copyload432, %strip.us ]
  %.sroa.11.0 = phi <8 x i1> [ %76, %region153.i.us ], [ %41, %strip.us ]
  %.sroa.8.0 = phi <8 x i1> [ %71, %region153.i.us ], [ %38, %strip.us ]
  %.sroa.5430.0 = phi <8 x i1> [ %66, %region153.i.us ], [ %35, %strip.us ]
  %.sroa.0429.0 = phi <8 x i1> [ %61, %region153.i.us ], [ %32, %strip.us ]
  %.018.us = phi i64 [ %58, %region153.i.us ], [ 0, %strip.us ]
  %58 = add nuw nsw i64 %.018.us, 1
  tail call void @llvm.sideeffect()
  %broadcast.splatinsert374 = insertelement <8 x i64> poison, i64 %58, i64 0
  %broadcast.splat375 = shufflevector <8 x i64> %broadcast.splatinsert374, <8 x i64> poison, <8 x i32> zeroinitializer
  %59 = fmul <8 x double> %.sroa.0431.0, <double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01>
  %60 = fcmp ogt <8 x double> %59, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  %61 = select <8 x i1> %.sroa.0429.0, <8 x i1> %60, <8 x i1> zeroinitializer
  %62 = zext <8 x i1> %61 to <8 x i8>
  %.sroa.0495.0.vec.expand = shufflevector <8 x i8> %62, <8 x i8> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %63 = select <8 x i1> %.sroa.0429.0, <8 x i64> %broadcast.splat375, <8 x i64> %.sroa.0439.4
  %64 = fmul <8 x double> %.sroa.5433.0, <double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01>
  %65 = fcmp ogt <8 x double> %64, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  %66 = select <8 x i1> %.sroa.5430.0, <8 x i1> %65, <8 x i1> zeroinitializer
  %67 = zext <8 x i1> %66 to <8 x i8>
  %.sroa.0495.8.vec.expand = shufflevector <8 x i8> %67, <8 x i8> poison, <16 x i32> <i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %.sroa.0495.8.vecblend = shufflevector <16 x i8> %.sroa.0495.0.vec.expand, <16 x i8> %.sroa.0495.8.vec.expand, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %68 = select <8 x i1> %.sroa.5430.0, <8 x i64> %broadcast.splat375, <8 x i64> %.sroa.4440.4
  %69 = fmul <8 x double> %.sroa.6435.0, <double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01>
  %70 = fcmp ogt <8 x double> %69, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  %71 = select <8 x i1> %.sroa.8.0, <8 x i1> %70, <8 x i1> zeroinitializer
  %72 = zext <8 x i1> %71 to <8 x i8>
  %.sroa.5497.16.vec.expand = shufflevector <8 x i8> %72, <8 x i8> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %73 = select <8 x i1> %.sroa.8.0, <8 x i64> %broadcast.splat375, <8 x i64> %.sroa.5441.4
  %74 = fmul <8 x double> %.sroa.7437.0, <double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01>
  %75 = fcmp ogt <8 x double> %74, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  %76 = select <8 x i1> %.sroa.11.0, <8 x i1> %75, <8 x i1> zeroinitializer
  %77 = zext <8 x i1> %76 to <8 x i8>
  %.sroa.5497.24.vec.expand = shufflevector <8 x i8> %77, <8 x i8> poison, <16 x i32> <i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %.sroa.5497.24.vecblend = shufflevector <16 x i8> %.sroa.5497.16.vec.expand, <16 x i8> %.sroa.5497.24.vec.expand, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %78 = select <8 x i1> %.sroa.11.0, <8 x i64> %broadcast.splat375, <8 x i64> %.sroa.6442.4
  tail call void @llvm.sideeffect()
  %79 = or <16 x i8> %.sroa.5497.24.vecblend, %.sroa.0495.8.vecblend
  %80 = shufflevector <16 x i8> %79, <16 x i8> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %81 = shufflevector <16 x i8> %79, <16 x i8> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %82 = or <8 x i8> %80, %81
  %83 = shufflevector <8 x i8> %82, <8 x i8> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %84 = shufflevector <8 x i8> %82, <8 x i8> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %85 = or <4 x i8> %83, %84
  %86 = shufflevector <4 x i8> %85, <4 x i8> poison, <2 x i32> <i32 0, i32 1>
  %87 = shufflevector <4 x i8> %85, <4 x i8> poison, <2 x i32> <i32 2, i32 3>
  %88 = or <2 x i8> %86, %87
  %89 = shufflevector <2 x i8> %88, <2 x i8> poison, <1 x i32> zeroinitializer
  %90 = shufflevector <2 x i8> %88, <2 x i8> poison, <1 x i32> <i32 1>
  %91 = or <1 x i8> %89, %90
  %92 = extractelement <1 x i8> %91, i64 0
  %93 = select <8 x i1> %.sroa.11.0, <8 x double> %74, <8 x double> %.sroa.7437.0
  %94 = select <8 x i1> %.sroa.8.0, <8 x double> %69, <8 x double> %.sroa.6435.0
  %95 = select <8 x i1> %.sroa.5430.0, <8 x double> %64, <8 x double> %.sroa.5433.0
  %96 = select <8 x i1> %.sroa.0429.0, <8 x double> %59, <8 x double> %.sroa.0431.0
  %97 = icmp eq i8 %92, 0
  br i1 %97, label %region155.i.us, label %region153.i.us

region155.i.us:                                   ; preds = %region153.i.us, %strip.us
  %.sroa.0495.5 = phi <16 x i8> [ %.sroa.0495.3, %strip.us ], [ %.sroa.0495.8.vecblend, %region153.i.us ]
  %.sroa.5497.5 = phi <16 x i8> [ %.sroa.5497.3, %strip.us ], [ %.sroa.5497.24.vecblend, %region153.i.us ]
  %.sroa.6442.5 = phi <8 x i64> [ %.sroa.6442.3, %strip.us ], [ %78, %region153.i.us ]
  %.sroa.5441.5 = phi <8 x i64> [ %.sroa.5441.3, %strip.us ], [ %73, %region153.i.us ]
  %.sroa.4440.5 = phi <8 x i64> [ %.sroa.4440.3, %strip.us ], [ %68, %region153.i.us ]
  %.sroa.0439.5 = phi <8 x i64> [ %.sroa.0439.3, %strip.us ], [ %63, %region153.i.us ]
  %.sroa.6428.4 = phi <8 x i64> [ %.sroa.6428.3, %strip.us ], [ %78, %region153.i.us ]
  %.sroa.5427.4 = phi <8 x i64> [ %.sroa.5427.3, %strip.us ], [ %73, %region153.i.us ]
  %.sroa.4.4 = phi <8 x i64> [ %.sroa.4.3, %strip.us ], [ %68, %region153.i.us ]
  %.sroa.0426.4 = phi <8 x i64> [ %.sroa.0426.3, %strip.us ], [ %63, %region153.i.us ]
  tail call void @llvm.sideeffect()
  %broadcast.splatinsert273 = insertelement <8 x i64> poison, i64 %first33.us, i64 0
  %broadcast.splat274 = shufflevector <8 x i64> %broadcast.splatinsert273, <8 x i64> poison, <8 x i32> zeroinitializer
  %98 = add nuw <8 x i64> %broadcast.splat274, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %99 = select <8 x i1> %32, <8 x i64> %.sroa.0426.4, <8 x i64> zeroinitializer
  %100 = getelementptr double, ptr addrspace(1) %.7, i64 %first33.us
  %101 = sitofp <8 x i64> %99 to <8 x double>
  store <8 x double> %101, ptr addrspace(1) %100, align 8, !llvm.access.group !7
  %102 = extractelement <8 x i64> %99, i64 0
  %103 = getelementptr double, ptr addrspace(1) %.3, i64 %102
  %104 = extractelement <8 x i64> %99, i64 1
  %105 = getelementptr double, ptr addrspace(1) %.3, i64 %104
  %106 = extractelement <8 x i64> %99, i64 2
  %107 = getelementptr double, ptr addrspace(1) %.3, i64 %106
  %108 = extractelement <8 x i64> %99, i64 3
  %109 = getelementptr double, ptr addrspace(1) %.3, i64 %108
  %110 = extractelement <8 x i64> %99, i64 4
  %111 = getelementptr double, ptr addrspace(1) %.3, i64 %110
  %112 = extractelement <8 x i64> %99, i64 5
  %113 = getelementptr double, ptr addrspace(1) %.3, i64 %112
  %114 = extractelement <8 x i64> %99, i64 6
  %115 = getelementptr double, ptr addrspace(1) %.3, i64 %114
  %116 = extractelement <8 x i64> %99, i64 7
  %117 = getelementptr double, ptr addrspace(1) %.3, i64 %116
  %118 = load double, ptr addrspace(1) %103, align 8, !llvm.access.group !7
  %119 = load double, ptr addrspace(1) %105, align 8, !llvm.access.group !7
  %120 = load double, ptr addrspace(1) %107, align 8, !llvm.access.group !7
  %121 = load double, ptr addrspace(1) %109, align 8, !llvm.access.group !7
  %122 = load double, ptr addrspace(1) %111, align 8, !llvm.access.group !7
  %123 = load double, ptr addrspace(1) %113, align 8, !llvm.access.group !7
  %124 = load double, ptr addrspace(1) %115, align 8, !llvm.access.group !7
  %125 = load double, ptr addrspace(1) %117, align 8, !llvm.access.group !7
  %126 = insertelement <8 x double> poison, double %118, i64 0
  %127 = insertelement <8 x double> %126, double %119, i64 1
  %128 = insertelement <8 x double> %127, double %120, i64 2
  %129 = insertelement <8 x double> %128, double %121, i64 3
  %130 = insertelement <8 x double> %129, double %122, i64 4
  %131 = insertelement <8 x double> %130, double %123, i64 5
  %132 = insertelement <8 x double> %131, double %124, i64 6
  %133 = insertelement <8 x double> %132, double %125, i64 7
  %134 = fadd <8 x double> %101, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  store <8 x double> %134, ptr addrspace(1) %100, align 8, !llvm.access.group !7
  %135 = fadd <8 x double> %133, zeroinitializer
  %136 = icmp slt <8 x i64> %99, <i64 9, i64 9, i64 9, i64 9, i64 9, i64 9, i64 9, i64 9>
  %137 = icmp slt <8 x i64> %99, <i64 -1, i64 -1, i64 -1, i64 -1, i64 -1, i64 -1, i64 -1, i64 -1>
  %138 = select <8 x i1> %137, <8 x i64> %broadcast.splat276, <8 x i64> zeroinitializer
  %139 = extractelement <8 x i1> %136, i64 0
  br i1 %139, label %pred.load.if277, label %pred.load.continue278

pred.load.if277:                                  ; preds = %region155.i.us
  %140 = getelementptr i8, ptr addrspace(1) %103, i64 8
  %141 = extractelement <8 x i64> %138, i64 0
  %142 = getelementptr double, ptr addrspace(1) %140, i64 %141
  %143 = load double, ptr addrspace(1) %142, align 8, !llvm.access.group !7
  %144 = insertelement <8 x double> poison, double %143, i64 0
  br label %pred.load.continue278

pred.load.continue278:                            ; preds = %pred.load.if277, %region155.i.us
  %145 = phi <8 x double> [ poison, %region155.i.us ], [ %144, %pred.load.if277 ]
  %146 = extractelement <8 x i1> %136, i64 1
  br i1 %146, label %pred.load.if279, label %pred.load.continue280

pred.load.if279:                                  ; preds = %pred.load.continue278
  %147 = getelementptr i8, ptr addrspace(1) %105, i64 8
  %148 = extractelement <8 x i64> %138, i64 1
  %149 = getelementptr double, ptr addrspace(1) %147, i64 %148
  %150 = load double, ptr addrspace(1) %149, align 8, !llvm.access.group !7
  %151 = insertelement <8 x double> %145, double %150, i64 1
  br label %pred.load.continue280

pred.load.continue280:                            ; preds = %pred.load.if279, %pred.load.continue278
  %152 = phi <8 x double> [ %145, %pred.load.continue278 ], [ %151, %pred.load.if279 ]
  %153 = extractelement <8 x i1> %136, i64 2
  br i1 %153, label %pred.load.if281, label %pred.load.continue282

pred.load.if281:                                  ; preds = %pred.load.continue280
  %154 = getelementptr i8, ptr addrspace(1) %107, i64 8
  %155 = extractelement <8 x i64> %138, i64 2
  %156 = getelementptr double, ptr addrspace(1) %154, i64 %155
  %157 = load double, ptr addrspace(1) %156, align 8, !llvm.access.group !7
  %158 = insertelement <8 x double> %152, double %157, i64 2
  br label %pred.load.continue282

pred.load.continue282:                            ; preds = %pred.load.if281, %pred.load.continue280
  %159 = phi <8 x double> [ %152, %pred.load.continue280 ], [ %158, %pred.load.if281 ]
  %160 = extractelement <8 x i1> %136, i64 3
  br i1 %160, label %pred.load.if283, label %pred.load.continue284

pred.load.if283:                                  ; preds = %pred.load.continue282
  %161 = getelementptr i8, ptr addrspace(1) %109, i64 8
  %162 = extractelement <8 x i64> %138, i64 3
  %163 = getelementptr double, ptr addrspace(1) %161, i64 %162
  %164 = load double, ptr addrspace(1) %163, align 8, !llvm.access.group !7
  %165 = insertelement <8 x double> %159, double %164, i64 3
  br label %pred.load.continue284

pred.load.continue284:                            ; preds = %pred.load.if283, %pred.load.continue282
  %166 = phi <8 x double> [ %159, %pred.load.continue282 ], [ %165, %pred.load.if283 ]
  %167 = extractelement <8 x i1> %136, i64 4
  br i1 %167, label %pred.load.if285, label %pred.load.continue286

pred.load.if285:                                  ; preds = %pred.load.continue284
  %168 = getelementptr i8, ptr addrspace(1) %111, i64 8
  %169 = extractelement <8 x i64> %138, i64 4
  %170 = getelementptr double, ptr addrspace(1) %168, i64 %169
  %171 = load double, ptr addrspace(1) %170, align 8, !llvm.access.group !7
  %172 = insertelement <8 x double> %166, double %171, i64 4
  br label %pred.load.continue286

pred.load.continue286:                            ; preds = %pred.load.if285, %pred.load.continue284
  %173 = phi <8 x double> [ %166, %pred.load.continue284 ], [ %172, %pred.load.if285 ]
  %174 = extractelement <8 x i1> %136, i64 5
  br i1 %174, label %pred.load.if287, label %pred.load.continue288

pred.load.if287:                                  ; preds = %pred.load.continue286
  %175 = getelementptr i8, ptr addrspace(1) %113, i64 8
  %176 = extractelement <8 x i64> %138, i64 5
  %177 = getelementptr double, ptr addrspace(1) %175, i64 %176
  %178 = load double, ptr addrspace(1) %177, align 8, !llvm.access.group !7
  %179 = insertelement <8 x double> %173, double %178, i64 5
  br label %pred.load.continue288

pred.load.continue288:                            ; preds = %pred.load.if287, %pred.load.continue286
  %180 = phi <8 x double> [ %173, %pred.load.continue286 ], [ %179, %pred.load.if287 ]
  %181 = extractelement <8 x i1> %136, i64 6
  br i1 %181, label %pred.load.if289, label %pred.load.continue290

pred.load.if289:                                  ; preds = %pred.load.continue288
  %182 = getelementptr i8, ptr addrspace(1) %115, i64 8
  %183 = extractelement <8 x i64> %138, i64 6
  %184 = getelementptr double, ptr addrspace(1) %182, i64 %183
  %185 = load double, ptr addrspace(1) %184, align 8, !llvm.access.group !7
  %186 = insertelement <8 x double> %180, double %185, i64 6
  br label %pred.load.continue290

pred.load.continue290:                            ; preds = %pred.load.if289, %pred.load.continue288
  %187 = phi <8 x double> [ %180, %pred.load.continue288 ], [ %186, %pred.load.if289 ]
  %188 = extractelement <8 x i1> %136, i64 7
  br i1 %188, label %pred.load.if291, label %pred.load.continue292

pred.load.if291:                                  ; preds = %pred.load.continue290
  %189 = getelementptr i8, ptr addrspace(1) %117, i64 8
  %190 = extractelement <8 x i64> %138, i64 7
  %191 = getelementptr double, ptr addrspace(1) %189, i64 %190
  %192 = load double, ptr addrspace(1) %191, align 8, !llvm.access.group !7
  %193 = insertelement <8 x double> %187, double %192, i64 7
  br label %pred.load.continue292

pred.load.continue292:                            ; preds = %pred.load.if291, %pred.load.continue290
  %194 = phi <8 x double> [ %187, %pred.load.continue290 ], [ %193, %pred.load.if291 ]
  %195 = fadd <8 x double> %134, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  tail call void @llvm.masked.store.v8f64.p1(<8 x double> %195, ptr addrspace(1) %100, i32 8, <8 x i1> %136), !llvm.access.group !7
  %196 = fadd <8 x double> %135, %194
  %197 = icmp slt <8 x i64> %99, <i64 -2, i64 -2, i64 -2, i64 -2, i64 -2, i64 -2, i64 -2, i64 -2>
  %198 = select <8 x i1> %197, <8 x i64> %broadcast.splat276, <8 x i64> zeroinitializer
  br i1 %139, label %pred.load.if293, label %pred.load.continue294

pred.load.if293:                                  ; preds = %pred.load.continue292
  %199 = getelementptr i8, ptr addrspace(1) %103, i64 16
  %200 = extractelement <8 x i64> %198, i64 0
  %201 = getelementptr double, ptr addrspace(1) %199, i64 %200
  %202 = load double, ptr addrspace(1) %201, align 8, !llvm.access.group !7
  %203 = insertelement <8 x double> poison, double %202, i64 0
  br label %pred.load.continue294

pred.load.continue294:                            ; preds = %pred.load.if293, %pred.load.continue292
  %204 = phi <8 x double> [ poison, %pred.load.continue292 ], [ %203, %pred.load.if293 ]
  br i1 %146, label %pred.load.if295, label %pred.load.continue296

pred.load.if295:                                  ; preds = %pred.load.continue294
  %205 = getelementptr i8, ptr addrspace(1) %105, i64 16
  %206 = extractelement <8 x i64> %198, i64 1
  %207 = getelementptr double, ptr addrspace(1) %205, i64 %206
  %208 = load double, ptr addrspace(1) %207, align 8, !llvm.access.group !7
  %209 = insertelement <8 x double> %204, double %208, i64 1
  br label %pred.load.continue296

pred.load.continue296:                            ; preds = %pred.load.if295, %pred.load.continue294
  %210 = phi <8 x double> [ %204, %pred.load.continue294 ], [ %209, %pred.load.if295 ]
  br i1 %153, label %pred.load.if297, label %pred.load.continue298

pred.load.if297:                                  ; preds = %pred.load.continue296
  %211 = getelementptr i8, ptr addrspace(1) %107, i64 16
  %212 = extractelement <8 x i64> %198, i64 2
  %213 = getelementptr double, ptr addrspace(1) %211, i64 %212
  %214 = load double, ptr addrspace(1) %213, align 8, !llvm.access.group !7
  %215 = insertelement <8 x double> %210, double %214, i64 2
  br label %pred.load.continue298

pred.load.continue298:                            ; preds = %pred.load.if297, %pred.load.continue296
  %216 = phi <8 x double> [ %210, %pred.load.continue296 ], [ %215, %pred.load.if297 ]
  br i1 %160, label %pred.load.if299, label %pred.load.continue300

pred.load.if299:                                  ; preds = %pred.load.continue298
  %217 = getelementptr i8, ptr addrspace(1) %109, i64 16
  %218 = extractelement <8 x i64> %198, i64 3
  %219 = getelementptr double, ptr addrspace(1) %217, i64 %218
  %220 = load double, ptr addrspace(1) %219, align 8, !llvm.access.group !7
  %221 = insertelement <8 x double> %216, double %220, i64 3
  br label %pred.load.continue300

pred.load.continue300:                            ; preds = %pred.load.if299, %pred.load.continue298
  %222 = phi <8 x double> [ %216, %pred.load.continue298 ], [ %221, %pred.load.if299 ]
  br i1 %167, label %pred.load.if301, label %pred.load.continue302

pred.load.if301:                                  ; preds = %pred.load.continue300
  %223 = getelementptr i8, ptr addrspace(1) %111, i64 16
  %224 = extractelement <8 x i64> %198, i64 4
  %225 = getelementptr double, ptr addrspace(1) %223, i64 %224
  %226 = load double, ptr addrspace(1) %225, align 8, !llvm.access.group !7
  %227 = insertelement <8 x double> %222, double %226, i64 4
  br label %pred.load.continue302

pred.load.continue302:                            ; preds = %pred.load.if301, %pred.load.continue300
  %228 = phi <8 x double> [ %222, %pred.load.continue300 ], [ %227, %pred.load.if301 ]
  br i1 %174, label %pred.load.if303, label %pred.load.continue304

pred.load.if303:                                  ; preds = %pred.load.continue302
  %229 = getelementptr i8, ptr addrspace(1) %113, i64 16
  %230 = extractelement <8 x i64> %198, i64 5
  %231 = getelementptr double, ptr addrspace(1) %229, i64 %230
  %232 = load double, ptr addrspace(1) %231, align 8, !llvm.access.group !7
  %233 = insertelement <8 x double> %228, double %232, i64 5
  br label %pred.load.continue304

pred.load.continue304:                            ; preds = %pred.load.if303, %pred.load.continue302
  %234 = phi <8 x double> [ %228, %pred.load.continue302 ], [ %233, %pred.load.if303 ]
  br i1 %181, label %pred.load.if305, label %pred.load.continue306

pred.load.if305:                                  ; preds = %pred.load.continue304
  %235 = getelementptr i8, ptr addrspace(1) %115, i64 16
  %236 = extractelement <8 x i64> %198, i64 6
  %237 = getelementptr double, ptr addrspace(1) %235, i64 %236
  %238 = load double, ptr addrspace(1) %237, align 8, !llvm.access.group !7
  %239 = insertelement <8 x double> %234, double %238, i64 6
  br label %pred.load.continue306

pred.load.continue306:                            ; preds = %pred.load.if305, %pred.load.continue304
  %240 = phi <8 x double> [ %234, %pred.load.continue304 ], [ %239, %pred.load.if305 ]
  br i1 %188, label %pred.load.if307, label %pred.load.continue308

pred.load.if307:                                  ; preds = %pred.load.continue306
  %241 = getelementptr i8, ptr addrspace(1) %117, i64 16
  %242 = extractelement <8 x i64> %198, i64 7
  %243 = getelementptr double, ptr addrspace(1) %241, i64 %242
  %244 = load double, ptr addrspace(1) %243, align 8, !llvm.access.group !7
  %245 = insertelement <8 x double> %240, double %244, i64 7
  br label %pred.load.continue308

pred.load.continue308:                            ; preds = %pred.load.if307, %pred.load.continue306
  %246 = phi <8 x double> [ %240, %pred.load.continue306 ], [ %245, %pred.load.if307 ]
  %247 = fadd <8 x double> %195, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  tail call void @llvm.masked.store.v8f64.p1(<8 x double> %247, ptr addrspace(1) %100, i32 8, <8 x i1> %136), !llvm.access.group !7
  %248 = fadd <8 x double> %196, %246
  %249 = icmp slt <8 x i64> %99, <i64 -3, i64 -3, i64 -3, i64 -3, i64 -3, i64 -3, i64 -3, i64 -3>
  %250 = select <8 x i1> %249, <8 x i64> %broadcast.splat276, <8 x i64> zeroinitializer
  br i1 %139, label %pred.load.if309, label %pred.load.continue310

pred.load.if309:                                  ; preds = %pred.load.continue308
  %251 = getelementptr i8, ptr addrspace(1) %103, i64 24
  %252 = extractelement <8 x i64> %250, i64 0
  %253 = getelementptr double, ptr addrspace(1) %251, i64 %252
  %254 = load double, ptr addrspace(1) %253, align 8, !llvm.access.group !7
  %255 = insertelement <8 x double> poison, double %254, i64 0
  br label %pred.load.continue310

pred.load.continue310:                            ; preds = %pred.load.if309, %pred.load.continue308
  %256 = phi <8 x double> [ poison, %pred.load.continue308 ], [ %255, %pred.load.if309 ]
  br i1 %146, label %pred.load.if311, label %pred.load.continue312

pred.load.if311:                                  ; preds = %pred.load.continue310
  %257 = getelementptr i8, ptr addrspace(1) %105, i64 24
  %258 = extractelement <8 x i64> %250, i64 1
  %259 = getelementptr double, ptr addrspace(1) %257, i64 %258
  %260 = load double, ptr addrspace(1) %259, align 8, !llvm.access.group !7
  %261 = insertelement <8 x double> %256, double %260, i64 1
  br label %pred.load.continue312

pred.load.continue312:                            ; preds = %pred.load.if311, %pred.load.continue310
  %262 = phi <8 x double> [ %256, %pred.load.continue310 ], [ %261, %pred.load.if311 ]
  br i1 %153, label %pred.load.if313, label %pred.load.continue314

pred.load.if313:                                  ; preds = %pred.load.continue312
  %263 = getelementptr i8, ptr addrspace(1) %107, i64 24
  %264 = extractelement <8 x i64> %250, i64 2
  %265 = getelementptr double, ptr addrspace(1) %263, i64 %264
  %266 = load double, ptr addrspace(1) %265, align 8, !llvm.access.group !7
  %267 = insertelement <8 x double> %262, double %266, i64 2
  br label %pred.load.continue314

pred.load.continue314:                            ; preds = %pred.load.if313, %pred.load.continue312
  %268 = phi <8 x double> [ %262, %pred.load.continue312 ], [ %267, %pred.load.if313 ]
  br i1 %160, label %pred.load.if315, label %pred.load.continue316

pred.load.if315:                                  ; preds = %pred.load.continue314
  %269 = getelementptr i8, ptr addrspace(1) %109, i64 24
  %270 = extractelement <8 x i64> %250, i64 3
  %271 = getelementptr double, ptr addrspace(1) %269, i64 %270
  %272 = load double, ptr addrspace(1) %271, align 8, !llvm.access.group !7
  %273 = insertelement <8 x double> %268, double %272, i64 3
  br label %pred.load.continue316

pred.load.continue316:                            ; preds = %pred.load.if315, %pred.load.continue314
  %274 = phi <8 x double> [ %268, %pred.load.continue314 ], [ %273, %pred.load.if315 ]
  br i1 %167, label %pred.load.if317, label %pred.load.continue318

pred.load.if317:                                  ; preds = %pred.load.continue316
  %275 = getelementptr i8, ptr addrspace(1) %111, i64 24
  %276 = extractelement <8 x i64> %250, i64 4
  %277 = getelementptr double, ptr addrspace(1) %275, i64 %276
  %278 = load double, ptr addrspace(1) %277, align 8, !llvm.access.group !7
  %279 = insertelement <8 x double> %274, double %278, i64 4
  br label %pred.load.continue318

pred.load.continue318:                            ; preds = %pred.load.if317, %pred.load.continue316
  %280 = phi <8 x double> [ %274, %pred.load.continue316 ], [ %279, %pred.load.if317 ]
  br i1 %174, label %pred.load.if319, label %pred.load.continue320

pred.load.if319:                                  ; preds = %pred.load.continue318
  %281 = getelementptr i8, ptr addrspace(1) %113, i64 24
  %282 = extractelement <8 x i64> %250, i64 5
  %283 = getelementptr double, ptr addrspace(1) %281, i64 %282
  %284 = load double, ptr addrspace(1) %283, align 8, !llvm.access.group !7
  %285 = insertelement <8 x double> %280, double %284, i64 5
  br label %pred.load.continue320

pred.load.continue320:                            ; preds = %pred.load.if319, %pred.load.continue318
  %286 = phi <8 x double> [ %280, %pred.load.continue318 ], [ %285, %pred.load.if319 ]
  br i1 %181, label %pred.load.if321, label %pred.load.continue322

pred.load.if321:                                  ; preds = %pred.load.continue320
  %287 = getelementptr i8, ptr addrspace(1) %115, i64 24
  %288 = extractelement <8 x i64> %250, i64 6
  %289 = getelementptr double, ptr addrspace(1) %287, i64 %288
  %290 = load double, ptr addrspace(1) %289, align 8, !llvm.access.group !7
  %291 = insertelement <8 x double> %286, double %290, i64 6
  br label %pred.load.continue322

pred.load.continue322:                            ; preds = %pred.load.if321, %pred.load.continue320
  %292 = phi <8 x double> [ %286, %pred.load.continue320 ], [ %291, %pred.load.if321 ]
  br i1 %188, label %pred.load.if323, label %pred.load.continue324

pred.load.if323:                                  ; preds = %pred.load.continue322
  %293 = getelementptr i8, ptr addrspace(1) %117, i64 24
  %294 = extractelement <8 x i64> %250, i64 7
  %295 = getelementptr double, ptr addrspace(1) %293, i64 %294
  %296 = load double, ptr addrspace(1) %295, align 8, !llvm.access.group !7
  %297 = insertelement <8 x double> %292, double %296, i64 7
  br label %pred.load.continue324

pred.load.continue324:                            ; preds = %pred.load.if323, %pred.load.continue322
  %298 = phi <8 x double> [ %292, %pred.load.continue322 ], [ %297, %pred.load.if323 ]
  %299 = fadd <8 x double> %247, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  tail call void @llvm.masked.store.v8f64.p1(<8 x double> %299, ptr addrspace(1) %100, i32 8, <8 x i1> %136), !llvm.access.group !7
  %300 = fadd <8 x double> %248, %298
  %301 = icmp eq <8 x i64> %99, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  %302 = xor <8 x i1> %301, %136
  %303 = icmp slt <8 x i64> %99, <i64 -4, i64 -4, i64 -4, i64 -4, i64 -4, i64 -4, i64 -4, i64 -4>
  %304 = select <8 x i1> %303, <8 x i64> %broadcast.splat276, <8 x i64> zeroinitializer
  %305 = extractelement <8 x i1> %302, i64 0
  br i1 %305, label %pred.load.if325, label %pred.load.continue326

pred.load.if325:                                  ; preds = %pred.load.continue324
  %306 = getelementptr i8, ptr addrspace(1) %103, i64 32
  %307 = extractelement <8 x i64> %304, i64 0
  %308 = getelementptr double, ptr addrspace(1) %306, i64 %307
  %309 = load double, ptr addrspace(1) %308, align 8, !llvm.access.group !7
  %310 = insertelement <8 x double> poison, double %309, i64 0
  br label %pred.load.continue326

pred.load.continue326:                            ; preds = %pred.load.if325, %pred.load.continue324
  %311 = phi <8 x double> [ poison, %pred.load.continue324 ], [ %310, %pred.load.if325 ]
  %312 = extractelement <8 x i1> %302, i64 1
  br i1 %312, label %pred.load.if327, label %pred.load.continue328

pred.load.if327:                                  ; preds = %pred.load.continue326
  %313 = getelementptr i8, ptr addrspace(1) %105, i64 32
  %314 = extractelement <8 x i64> %304, i64 1
  %315 = getelementptr double, ptr addrspace(1) %313, i64 %314
  %316 = load double, ptr addrspace(1) %315, align 8, !llvm.access.group !7
  %317 = insertelement <8 x double> %311, double %316, i64 1
  br label %pred.load.continue328

pred.load.continue328:                            ; preds = %pred.load.if327, %pred.load.continue326
  %318 = phi <8 x double> [ %311, %pred.load.continue326 ], [ %317, %pred.load.if327 ]
  %319 = extractelement <8 x i1> %302, i64 2
  br i1 %319, label %pred.load.if329, label %pred.load.continue330

pred.load.if329:                                  ; preds = %pred.load.continue328
  %320 = getelementptr i8, ptr addrspace(1) %107, i64 32
  %321 = extractelement <8 x i64> %304, i64 2
  %322 = getelementptr double, ptr addrspace(1) %320, i64 %321
  %323 = load double, ptr addrspace(1) %322, align 8, !llvm.access.group !7
  %324 = insertelement <8 x double> %318, double %323, i64 2
  br label %pred.load.continue330

pred.load.continue330:                            ; preds = %pred.load.if329, %pred.load.continue328
  %325 = phi <8 x double> [ %318, %pred.load.continue328 ], [ %324, %pred.load.if329 ]
  %326 = extractelement <8 x i1> %302, i64 3
  br i1 %326, label %pred.load.if331, label %pred.load.continue332

pred.load.if331:                                  ; preds = %pred.load.continue330
  %327 = getelementptr i8, ptr addrspace(1) %109, i64 32
  %328 = extractelement <8 x i64> %304, i64 3
  %329 = getelementptr double, ptr addrspace(1) %327, i64 %328
  %330 = load double, ptr addrspace(1) %329, align 8, !llvm.access.group !7
  %331 = insertelement <8 x double> %325, double %330, i64 3
  br label %pred.load.continue332

pred.load.continue332:                            ; preds = %pred.load.if331, %pred.load.continue330
  %332 = phi <8 x double> [ %325, %pred.load.continue330 ], [ %331, %pred.load.if331 ]
  %333 = extractelement <8 x i1> %302, i64 4
  br i1 %333, label %pred.load.if333, label %pred.load.continue334

pred.load.if333:                                  ; preds = %pred.load.continue332
  %334 = getelementptr i8, ptr addrspace(1) %111, i64 32
  %335 = extractelement <8 x i64> %304, i64 4
  %336 = getelementptr double, ptr addrspace(1) %334, i64 %335
  %337 = load double, ptr addrspace(1) %336, align 8, !llvm.access.group !7
  %338 = insertelement <8 x double> %332, double %337, i64 4
  br label %pred.load.continue334

pred.load.continue334:                            ; preds = %pred.load.if333, %pred.load.continue332
  %339 = phi <8 x double> [ %332, %pred.load.continue332 ], [ %338, %pred.load.if333 ]
  %340 = extractelement <8 x i1> %302, i64 5
  br i1 %340, label %pred.load.if335, label %pred.load.continue336

pred.load.if335:                                  ; preds = %pred.load.continue334
  %341 = getelementptr i8, ptr addrspace(1) %113, i64 32
  %342 = extractelement <8 x i64> %304, i64 5
  %343 = getelementptr double, ptr addrspace(1) %341, i64 %342
  %344 = load double, ptr addrspace(1) %343, align 8, !llvm.access.group !7
  %345 = insertelement <8 x double> %339, double %344, i64 5
  br label %pred.load.continue336

pred.load.continue336:                            ; preds = %pred.load.if335, %pred.load.continue334
  %346 = phi <8 x double> [ %339, %pred.load.continue334 ], [ %345, %pred.load.if335 ]
  %347 = extractelement <8 x i1> %302, i64 6
  br i1 %347, label %pred.load.if337, label %pred.load.continue338

pred.load.if337:                                  ; preds = %pred.load.continue336
  %348 = getelementptr i8, ptr addrspace(1) %115, i64 32
  %349 = extractelement <8 x i64> %304, i64 6
  %350 = getelementptr double, ptr addrspace(1) %348, i64 %349
  %351 = load double, ptr addrspace(1) %350, align 8, !llvm.access.group !7
  %352 = insertelement <8 x double> %346, double %351, i64 6
  br label %pred.load.continue338

pred.load.continue338:                            ; preds = %pred.load.if337, %pred.load.continue336
  %353 = phi <8 x double> [ %346, %pred.load.continue336 ], [ %352, %pred.load.if337 ]
  %354 = extractelement <8 x i1> %302, i64 7
  br i1 %354, label %pred.load.if339, label %pred.load.continue340

pred.load.if339:                                  ; preds = %pred.load.continue338
  %355 = getelementptr i8, ptr addrspace(1) %117, i64 32
  %356 = extractelement <8 x i64> %304, i64 7
  %357 = getelementptr double, ptr addrspace(1) %355, i64 %356
  %358 = load double, ptr addrspace(1) %357, align 8, !llvm.access.group !7
  %359 = insertelement <8 x double> %353, double %358, i64 7
  br label %pred.load.continue340

pred.load.continue340:                            ; preds = %pred.load.if339, %pred.load.continue338
  %360 = phi <8 x double> [ %353, %pred.load.continue338 ], [ %359, %pred.load.if339 ]
  %361 = fadd <8 x double> %299, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  tail call void @llvm.masked.store.v8f64.p1(<8 x double> %361, ptr addrspace(1) %100, i32 8, <8 x i1> %302), !llvm.access.group !7
  %362 = fadd <8 x double> %300, %360
  %363 = icmp sgt <8 x i64> %99, <i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6>
  %364 = sub nsw <8 x i64> <i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12>, %99
  %365 = getelementptr double, ptr addrspace(1) %.5, <8 x i64> %98
  %366 = and <8 x i1> %302, %363
  %predphi341 = select <8 x i1> %136, <8 x ptr addrspace(1)> %365, <8 x ptr addrspace(1)> undef
  %367 = or <8 x i1> %366, %301
  %predphi343 = select <8 x i1> %367, <8 x ptr addrspace(1)> undef, <8 x ptr addrspace(1)> %predphi341
  %not. = xor <8 x i1> %366, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %narrow393 = select <8 x i1> %not., <8 x i1> %302, <8 x i1> zeroinitializer
  %predphi349 = zext <8 x i1> %narrow393 to <8 x i8>
  %predphi350 = select <8 x i1> %136, <8 x double> %362, <8 x double> %135
  %predphi351 = select <8 x i1> %301, <8 x double> %300, <8 x double> %predphi350
  %predphi353 = select <8 x i1> %136, <8 x double> %362, <8 x double> undef
  %predphi355 = select <8 x i1> %367, <8 x double> undef, <8 x double> %predphi353
  %.sroa.0479.0.vec.expand = shufflevector <8 x i8> %predphi349, <8 x i8> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %368 = add nuw <8 x i64> %broadcast.splat274, <i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>
  %369 = select <8 x i1> %35, <8 x i64> %.sroa.4.4, <8 x i64> zeroinitializer
  %370 = extractelement <8 x i64> %368, i64 0
  %371 = getelementptr double, ptr addrspace(1) %.7, i64 %370
  %372 = sitofp <8 x i64> %369 to <8 x double>
  store <8 x double> %372, ptr addrspace(1) %371, align 8, !llvm.access.group !7
  %373 = extractelement <8 x i64> %369, i64 0
  %374 = getelementptr double, ptr addrspace(1) %.3, i64 %373
  %375 = extractelement <8 x i64> %369, i64 1
  %376 = getelementptr double, ptr addrspace(1) %.3, i64 %375
  %377 = extractelement <8 x i64> %369, i64 2
  %378 = getelementptr double, ptr addrspace(1) %.3, i64 %377
  %379 = extractelement <8 x i64> %369, i64 3
  %380 = getelementptr double, ptr addrspace(1) %.3, i64 %379
  %381 = extractelement <8 x i64> %369, i64 4
  %382 = getelementptr double, ptr addrspace(1) %.3, i64 %381
  %383 = extractelement <8 x i64> %369, i64 5
  %384 = getelementptr double, ptr addrspace(1) %.3, i64 %383
  %385 = extractelement <8 x i64> %369, i64 6
  %386 = getelementptr double, ptr addrspace(1) %.3, i64 %385
  %387 = extractelement <8 x i64> %369, i64 7
  %388 = getelementptr double, ptr addrspace(1) %.3, i64 %387
  %389 = load double, ptr addrspace(1) %374, align 8, !llvm.access.group !7
  %390 = load double, ptr addrspace(1) %376, align 8, !llvm.access.group !7
  %391 = load double, ptr addrspace(1) %378, align 8, !llvm.access.group !7
  %392 = load double, ptr addrspace(1) %380, align 8, !llvm.access.group !7
  %393 = load double, ptr addrspace(1) %382, align 8, !llvm.access.group !7
  %394 = load double, ptr addrspace(1) %384, align 8, !llvm.access.group !7
  %395 = load double, ptr addrspace(1) %386, align 8, !llvm.access.group !7
  %396 = load double, ptr addrspace(1) %388, align 8, !llvm.access.group !7
  %397 = insertelement <8 x double> poison, double %389, i64 0
  %398 = insertelement <8 x double> %397, double %390, i64 1
  %399 = insertelement <8 x double> %398, double %391, i64 2
  %400 = insertelement <8 x double> %399, double %392, i64 3
  %401 = insertelement <8 x double> %400, double %393, i64 4
  %402 = insertelement <8 x double> %401, double %394, i64 5
  %403 = insertelement <8 x double> %402, double %395, i64 6
  %404 = insertelement <8 x double> %403, double %396, i64 7
  %405 = fadd <8 x double> %372, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  store <8 x double> %405, ptr addrspace(1) %371, align 8, !llvm.access.group !7
  %406 = fadd <8 x double> %404, zeroinitializer
  %407 = icmp slt <8 x i64> %369, <i64 9, i64 9, i64 9, i64 9, i64 9, i64 9, i64 9, i64 9>
  %408 = icmp slt <8 x i64> %369, <i64 -1, i64 -1, i64 -1, i64 -1, i64 -1, i64 -1, i64 -1, i64 -1>
  %409 = select <8 x i1> %408, <8 x i64> %broadcast.splat276, <8 x i64> zeroinitializer
  %410 = extractelement <8 x i1> %407, i64 0
  br i1 %410, label %pred.load.if277.1, label %pred.load.continue278.1

pred.load.if277.1:                                ; preds = %pred.load.continue340
  %411 = getelementptr i8, ptr addrspace(1) %374, i64 8
  %412 = extractelement <8 x i64> %409, i64 0
  %413 = getelementptr double, ptr addrspace(1) %411, i64 %412
  %414 = load double, ptr addrspace(1) %413, align 8, !llvm.access.group !7
  %415 = insertelement <8 x double> poison, double %414, i64 0
  br label %pred.load.continue278.1

pred.load.continue278.1:                          ; preds = %pred.load.if277.1, %pred.load.continue340
  %416 = phi <8 x double> [ poison, %pred.load.continue340 ], [ %415, %pred.load.if277.1 ]
  %417 = extractelement <8 x i1> %407, i64 1
  br i1 %417, label %pred.load.if279.1, label %pred.load.continue280.1

pred.load.if279.1:                                ; preds = %pred.load.continue278.1
  %418 = getelementptr i8, ptr addrspace(1) %376, i64 8
  %419 = extractelement <8 x i64> %409, i64 1
  %420 = getelementptr double, ptr addrspace(1) %418, i64 %419
  %421 = load double, ptr addrspace(1) %420, align 8, !llvm.access.group !7
  %422 = insertelement <8 x double> %416, double %421, i64 1
  br label %pred.load.continue280.1

pred.load.continue280.1:                          ; preds = %pred.load.if279.1, %pred.load.continue278.1
  %423 = phi <8 x double> [ %416, %pred.load.continue278.1 ], [ %422, %pred.load.if279.1 ]
  %424 = extractelement <8 x i1> %407, i64 2
  br i1 %424, label %pred.load.if281.1, label %pred.load.continue282.1

pred.load.if281.1:                                ; preds = %pred.load.continue280.1
  %425 = getelementptr i8, ptr addrspace(1) %378, i64 8
  %426 = extractelement <8 x i64> %409, i64 2
  %427 = getelementptr double, ptr addrspace(1) %425, i64 %426
  %428 = load double, ptr addrspace(1) %427, align 8, !llvm.access.group !7
  %429 = insertelement <8 x double> %423, double %428, i64 2
  br label %pred.load.continue282.1

pred.load.continue282.1:                          ; preds = %pred.load.if281.1, %pred.load.continue280.1
  %430 = phi <8 x double> [ %423, %pred.load.continue280.1 ], [ %429, %pred.load.if281.1 ]
  %431 = extractelement <8 x i1> %407, i64 3
  br i1 %431, label %pred.load.if283.1, label %pred.load.continue284.1

pred.load.if283.1:                                ; preds = %pred.load.continue282.1
  %432 = getelementptr i8, ptr addrspace(1) %380, i64 8
  %433 = extractelement <8 x i64> %409, i64 3
  %434 = getelementptr double, ptr addrspace(1) %432, i64 %433
  %435 = load double, ptr addrspace(1) %434, align 8, !llvm.access.group !7
  %436 = insertelement <8 x double> %430, double %435, i64 3
  br label %pred.load.continue284.1

pred.load.continue284.1:                          ; preds = %pred.load.if283.1, %pred.load.continue282.1
  %437 = phi <8 x double> [ %430, %pred.load.continue282.1 ], [ %436, %pred.load.if283.1 ]
  %438 = extractelement <8 x i1> %407, i64 4
  br i1 %438, label %pred.load.if285.1, label %pred.load.continue286.1

pred.load.if285.1:                                ; preds = %pred.load.continue284.1
  %439 = getelementptr i8, ptr addrspace(1) %382, i64 8
  %440 = extractelement <8 x i64> %409, i64 4
  %441 = getelementptr double, ptr addrspace(1) %439, i64 %440
  %442 = load double, ptr addrspace(1) %441, align 8, !llvm.access.group !7
  %443 = insertelement <8 x double> %437, double %442, i64 4
  br label %pred.load.continue286.1

pred.load.continue286.1:                          ; preds = %pred.load.if285.1, %pred.load.continue284.1
  %444 = phi <8 x double> [ %437, %pred.load.continue284.1 ], [ %443, %pred.load.if285.1 ]
  %445 = extractelement <8 x i1> %407, i64 5
  br i1 %445, label %pred.load.if287.1, label %pred.load.continue288.1

pred.load.if287.1:                                ; preds = %pred.load.continue286.1
  %446 = getelementptr i8, ptr addrspace(1) %384, i64 8
  %447 = extractelement <8 x i64> %409, i64 5
  %448 = getelementptr double, ptr addrspace(1) %446, i64 %447
  %449 = load double, ptr addrspace(1) %448, align 8, !llvm.access.group !7
  %450 = insertelement <8 x double> %444, double %449, i64 5
  br label %pred.load.continue288.1

pred.load.continue288.1:                          ; preds = %pred.load.if287.1, %pred.load.continue286.1
  %451 = phi <8 x double> [ %444, %pred.load.continue286.1 ], [ %450, %pred.load.if287.1 ]
  %452 = extractelement <8 x i1> %407, i64 6
  br i1 %452, label %pred.load.if289.1, label %pred.load.continue290.1

pred.load.if289.1:                                ; preds = %pred.load.continue288.1
  %453 = getelementptr i8, ptr addrspace(1) %386, i64 8
  %454 = extractelement <8 x i64> %409, i64 6
  %455 = getelementptr double, ptr addrspace(1) %453, i64 %454
  %456 = load double, ptr addrspace(1) %455, align 8, !llvm.access.group !7
  %457 = insertelement <8 x double> %451, double %456, i64 6
  br label %pred.load.continue290.1

pred.load.continue290.1:                          ; preds = %pred.load.if289.1, %pred.load.continue288.1
  %458 = phi <8 x double> [ %451, %pred.load.continue288.1 ], [ %457, %pred.load.if289.1 ]
  %459 = extractelement <8 x i1> %407, i64 7
  br i1 %459, label %pred.load.if291.1, label %pred.load.continue292.1

pred.load.if291.1:                                ; preds = %pred.load.continue290.1
  %460 = getelementptr i8, ptr addrspace(1) %388, i64 8
  %461 = extractelement <8 x i64> %409, i64 7
  %462 = getelementptr double, ptr addrspace(1) %460, i64 %461
  %463 = load double, ptr addrspace(1) %462, align 8, !llvm.access.group !7
  %464 = insertelement <8 x double> %458, double %463, i64 7
  br label %pred.load.continue292.1

pred.load.continue292.1:                          ; preds = %pred.load.if291.1, %pred.load.continue290.1
  %465 = phi <8 x double> [ %458, %pred.load.continue290.1 ], [ %464, %pred.load.if291.1 ]
  %466 = fadd <8 x double> %405, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  tail call void @llvm.masked.store.v8f64.p1(<8 x double> %466, ptr addrspace(1) %371, i32 8, <8 x i1> %407), !llvm.access.group !7
  %467 = fadd <8 x double> %406, %465
  %468 = icmp slt <8 x i64> %369, <i64 -2, i64 -2, i64 -2, i64 -2, i64 -2, i64 -2, i64 -2, i64 -2>
  %469 = select <8 x i1> %468, <8 x i64> %broadcast.splat276, <8 x i64> zeroinitializer
  br i1 %410, label %pred.load.if293.1, label %pred.load.continue294.1

pred.load.if293.1:                                ; preds = %pred.load.continue292.1
  %470 = getelementptr i8, ptr addrspace(1) %374, i64 16
  %471 = extractelement <8 x i64> %469, i64 0
  %472 = getelementptr double, ptr addrspace(1) %470, i64 %471
  %473 = load double, ptr addrspace(1) %472, align 8, !llvm.access.group !7
  %474 = insertelement <8 x double> poison, double %473, i64 0
  br label %pred.load.continue294.1

pred.load.continue294.1:                          ; preds = %pred.load.if293.1, %pred.load.continue292.1
  %475 = phi <8 x double> [ poison, %pred.load.continue292.1 ], [ %474, %pred.load.if293.1 ]
  br i1 %417, label %pred.load.if295.1, label %pred.load.continue296.1

pred.load.if295.1:                                ; preds = %pred.load.continue294.1
  %476 = getelementptr i8, ptr addrspace(1) %376, i64 16
  %477 = extractelement <8 x i64> %469, i64 1
  %478 = getelementptr double, ptr addrspace(1) %476, i64 %477
  %479 = load double, ptr addrspace(1) %478, align 8, !llvm.access.group !7
  %480 = insertelement <8 x double> %475, double %479, i64 1
  br label %pred.load.continue296.1

pred.load.continue296.1:                          ; preds = %pred.load.if295.1, %pred.load.continue294.1
  %481 = phi <8 x double> [ %475, %pred.load.continue294.1 ], [ %480, %pred.load.if295.1 ]
  br i1 %424, label %pred.load.if297.1, label %pred.load.continue298.1

pred.load.if297.1:                                ; preds = %pred.load.continue296.1
  %482 = getelementptr i8, ptr addrspace(1) %378, i64 16
  %483 = extractelement <8 x i64> %469, i64 2
  %484 = getelementptr double, ptr addrspace(1) %482, i64 %483
  %485 = load double, ptr addrspace(1) %484, align 8, !llvm.access.group !7
  %486 = insertelement <8 x double> %481, double %485, i64 2
  br label %pred.load.continue298.1

pred.load.continue298.1:                          ; preds = %pred.load.if297.1, %pred.load.continue296.1
  %487 = phi <8 x double> [ %481, %pred.load.continue296.1 ], [ %486, %pred.load.if297.1 ]
  br i1 %431, label %pred.load.if299.1, label %pred.load.continue300.1

pred.load.if299.1:                                ; preds = %pred.load.continue298.1
  %488 = getelementptr i8, ptr addrspace(1) %380, i64 16
  %489 = extractelement <8 x i64> %469, i64 3
  %490 = getelementptr double, ptr addrspace(1) %488, i64 %489
  %491 = load double, ptr addrspace(1) %490, align 8, !llvm.access.group !7
  %492 = insertelement <8 x double> %487, double %491, i64 3
  br label %pred.load.continue300.1

pred.load.continue300.1:                          ; preds = %pred.load.if299.1, %pred.load.continue298.1
  %493 = phi <8 x double> [ %487, %pred.load.continue298.1 ], [ %492, %pred.load.if299.1 ]
  br i1 %438, label %pred.load.if301.1, label %pred.load.continue302.1

pred.load.if301.1:                                ; preds = %pred.load.continue300.1
  %494 = getelementptr i8, ptr addrspace(1) %382, i64 16
  %495 = extractelement <8 x i64> %469, i64 4
  %496 = getelementptr double, ptr addrspace(1) %494, i64 %495
  %497 = load double, ptr addrspace(1) %496, align 8, !llvm.access.group !7
  %498 = insertelement <8 x double> %493, double %497, i64 4
  br label %pred.load.continue302.1

pred.load.continue302.1:                          ; preds = %pred.load.if301.1, %pred.load.continue300.1
  %499 = phi <8 x double> [ %493, %pred.load.continue300.1 ], [ %498, %pred.load.if301.1 ]
  br i1 %445, label %pred.load.if303.1, label %pred.load.continue304.1

pred.load.if303.1:                                ; preds = %pred.load.continue302.1
  %500 = getelementptr i8, ptr addrspace(1) %384, i64 16
  %501 = extractelement <8 x i64> %469, i64 5
  %502 = getelementptr double, ptr addrspace(1) %500, i64 %501
  %503 = load double, ptr addrspace(1) %502, align 8, !llvm.access.group !7
  %504 = insertelement <8 x double> %499, double %503, i64 5
  br label %pred.load.continue304.1

pred.load.continue304.1:                          ; preds = %pred.load.if303.1, %pred.load.continue302.1
  %505 = phi <8 x double> [ %499, %pred.load.continue302.1 ], [ %504, %pred.load.if303.1 ]
  br i1 %452, label %pred.load.if305.1, label %pred.load.continue306.1

pred.load.if305.1:                                ; preds = %pred.load.continue304.1
  %506 = getelementptr i8, ptr addrspace(1) %386, i64 16
  %507 = extractelement <8 x i64> %469, i64 6
  %508 = getelementptr double, ptr addrspace(1) %506, i64 %507
  %509 = load double, ptr addrspace(1) %508, align 8, !llvm.access.group !7
  %510 = insertelement <8 x double> %505, double %509, i64 6
  br label %pred.load.continue306.1

pred.load.continue306.1:                          ; preds = %pred.load.if305.1, %pred.load.continue304.1
  %511 = phi <8 x double> [ %505, %pred.load.continue304.1 ], [ %510, %pred.load.if305.1 ]
  br i1 %459, label %pred.load.if307.1, label %pred.load.continue308.1

pred.load.if307.1:                                ; preds = %pred.load.continue306.1
  %512 = getelementptr i8, ptr addrspace(1) %388, i64 16
  %513 = extractelement <8 x i64> %469, i64 7
  %514 = getelementptr double, ptr addrspace(1) %512, i64 %513
  %515 = load double, ptr addrspace(1) %514, align 8, !llvm.access.group !7
  %516 = insertelement <8 x double> %511, double %515, i64 7
  br label %pred.load.continue308.1

pred.load.continue308.1:                          ; preds = %pred.load.if307.1, %pred.load.continue306.1
  %517 = phi <8 x double> [ %511, %pred.load.continue306.1 ], [ %516, %pred.load.if307.1 ]
  %518 = fadd <8 x double> %466, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  tail call void @llvm.masked.store.v8f64.p1(<8 x double> %518, ptr addrspace(1) %371, i32 8, <8 x i1> %407), !llvm.access.group !7
  %519 = fadd <8 x double> %467, %517
  %520 = icmp slt <8 x i64> %369, <i64 -3, i64 -3, i64 -3, i64 -3, i64 -3, i64 -3, i64 -3, i64 -3>
  %521 = select <8 x i1> %520, <8 x i64> %broadcast.splat276, <8 x i64> zeroinitializer
  br i1 %410, label %pred.load.if309.1, label %pred.load.continue310.1

pred.load.if309.1:                                ; preds = %pred.load.continue308.1
  %522 = getelementptr i8, ptr addrspace(1) %374, i64 24
  %523 = extractelement <8 x i64> %521, i64 0
  %524 = getelementptr double, ptr addrspace(1) %522, i64 %523
  %525 = load double, ptr addrspace(1) %524, align 8, !llvm.access.group !7
  %526 = insertelement <8 x double> poison, double %525, i64 0
  br label %pred.load.continue310.1

pred.load.continue310.1:                          ; preds = %pred.load.if309.1, %pred.load.continue308.1
  %527 = phi <8 x double> [ poison, %pred.load.continue308.1 ], [ %526, %pred.load.if309.1 ]
  br i1 %417, label %pred.load.if311.1, label %pred.load.continue312.1

pred.load.if311.1:                                ; preds = %pred.load.continue310.1
  %528 = getelementptr i8, ptr addrspace(1) %376, i64 24
  %529 = extractelement <8 x i64> %521, i64 1
  %530 = getelementptr double, ptr addrspace(1) %528, i64 %529
  %531 = load double, ptr addrspace(1) %530, align 8, !llvm.access.group !7
  %532 = insertelement <8 x double> %527, double %531, i64 1
  br label %pred.load.continue312.1

pred.load.continue312.1:                          ; preds = %pred.load.if311.1, %pred.load.continue310.1
  %533 = phi <8 x double> [ %527, %pred.load.continue310.1 ], [ %532, %pred.load.if311.1 ]
  br i1 %424, label %pred.load.if313.1, label %pred.load.continue314.1

pred.load.if313.1:                                ; preds = %pred.load.continue312.1
  %534 = getelementptr i8, ptr addrspace(1) %378, i64 24
  %535 = extractelement <8 x i64> %521, i64 2
  %536 = getelementptr double, ptr addrspace(1) %534, i64 %535
  %537 = load double, ptr addrspace(1) %536, align 8, !llvm.access.group !7
  %538 = insertelement <8 x double> %533, double %537, i64 2
  br label %pred.load.continue314.1

pred.load.continue314.1:                          ; preds = %pred.load.if313.1, %pred.load.continue312.1
  %539 = phi <8 x double> [ %533, %pred.load.continue312.1 ], [ %538, %pred.load.if313.1 ]
  br i1 %431, label %pred.load.if315.1, label %pred.load.continue316.1

pred.load.if315.1:                                ; preds = %pred.load.continue314.1
  %540 = getelementptr i8, ptr addrspace(1) %380, i64 24
  %541 = extractelement <8 x i64> %521, i64 3
  %542 = getelementptr double, ptr addrspace(1) %540, i64 %541
  %543 = load double, ptr addrspace(1) %542, align 8, !llvm.access.group !7
  %544 = insertelement <8 x double> %539, double %543, i64 3
  br label %pred.load.continue316.1

pred.load.continue316.1:                          ; preds = %pred.load.if315.1, %pred.load.continue314.1
  %545 = phi <8 x double> [ %539, %pred.load.continue314.1 ], [ %544, %pred.load.if315.1 ]
  br i1 %438, label %pred.load.if317.1, label %pred.load.continue318.1

pred.load.if317.1:                                ; preds = %pred.load.continue316.1
  %546 = getelementptr i8, ptr addrspace(1) %382, i64 24
  %547 = extractelement <8 x i64> %521, i64 4
  %548 = getelementptr double, ptr addrspace(1) %546, i64 %547
  %549 = load double, ptr addrspace(1) %548, align 8, !llvm.access.group !7
  %550 = insertelement <8 x double> %545, double %549, i64 4
  br label %pred.load.continue318.1

pred.load.continue318.1:                          ; preds = %pred.load.if317.1, %pred.load.continue316.1
  %551 = phi <8 x double> [ %545, %pred.load.continue316.1 ], [ %550, %pred.load.if317.1 ]
  br i1 %445, label %pred.load.if319.1, label %pred.load.continue320.1

pred.load.if319.1:                                ; preds = %pred.load.continue318.1
  %552 = getelementptr i8, ptr addrspace(1) %384, i64 24
  %553 = extractelement <8 x i64> %521, i64 5
  %554 = getelementptr double, ptr addrspace(1) %552, i64 %553
  %555 = load double, ptr addrspace(1) %554, align 8, !llvm.access.group !7
  %556 = insertelement <8 x double> %551, double %555, i64 5
  br label %pred.load.continue320.1

pred.load.continue320.1:                          ; preds = %pred.load.if319.1, %pred.load.continue318.1
  %557 = phi <8 x double> [ %551, %pred.load.continue318.1 ], [ %556, %pred.load.if319.1 ]
  br i1 %452, label %pred.load.if321.1, label %pred.load.continue322.1

pred.load.if321.1:                                ; preds = %pred.load.continue320.1
  %558 = getelementptr i8, ptr addrspace(1) %386, i64 24
  %559 = extractelement <8 x i64> %521, i64 6
  %560 = getelementptr double, ptr addrspace(1) %558, i64 %559
  %561 = load double, ptr addrspace(1) %560, align 8, !llvm.access.group !7
  %562 = insertelement <8 x double> %557, double %561, i64 6
  br label %pred.load.continue322.1

pred.load.continue322.1:                          ; preds = %pred.load.if321.1, %pred.load.continue320.1
  %563 = phi <8 x double> [ %557, %pred.load.continue320.1 ], [ %562, %pred.load.if321.1 ]
  br i1 %459, label %pred.load.if323.1, label %pred.load.continue324.1

pred.load.if323.1:                                ; preds = %pred.load.continue322.1
  %564 = getelementptr i8, ptr addrspace(1) %388, i64 24
  %565 = extractelement <8 x i64> %521, i64 7
  %566 = getelementptr double, ptr addrspace(1) %564, i64 %565
  %567 = load double, ptr addrspace(1) %566, align 8, !llvm.access.group !7
  %568 = insertelement <8 x double> %563, double %567, i64 7
  br label %pred.load.continue324.1

pred.load.continue324.1:                          ; preds = %pred.load.if323.1, %pred.load.continue322.1
  %569 = phi <8 x double> [ %563, %pred.load.continue322.1 ], [ %568, %pred.load.if323.1 ]
  %570 = fadd <8 x double> %518, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  tail call void @llvm.masked.store.v8f64.p1(<8 x double> %570, ptr addrspace(1) %371, i32 8, <8 x i1> %407), !llvm.access.group !7
  %571 = fadd <8 x double> %519, %569
  %572 = icmp eq <8 x i64> %369, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  %573 = xor <8 x i1> %572, %407
  %574 = icmp slt <8 x i64> %369, <i64 -4, i64 -4, i64 -4, i64 -4, i64 -4, i64 -4, i64 -4, i64 -4>
  %575 = select <8 x i1> %574, <8 x i64> %broadcast.splat276, <8 x i64> zeroinitializer
  %576 = extractelement <8 x i1> %573, i64 0
  br i1 %576, label %pred.load.if325.1, label %pred.load.continue326.1

pred.load.if325.1:                                ; preds = %pred.load.continue324.1
  %577 = getelementptr i8, ptr addrspace(1) %374, i64 32
  %578 = extractelement <8 x i64> %575, i64 0
  %579 = getelementptr double, ptr addrspace(1) %577, i64 %578
  %580 = load double, ptr addrspace(1) %579, align 8, !llvm.access.group !7
  %581 = insertelement <8 x double> poison, double %580, i64 0
  br label %pred.load.continue326.1

pred.load.continue326.1:                          ; preds = %pred.load.if325.1, %pred.load.continue324.1
  %582 = phi <8 x double> [ poison, %pred.load.continue324.1 ], [ %581, %pred.load.if325.1 ]
  %583 = extractelement <8 x i1> %573, i64 1
  br i1 %583, label %pred.load.if327.1, label %pred.load.continue328.1

pred.load.if327.1:                                ; preds = %pred.load.continue326.1
  %584 = getelementptr i8, ptr addrspace(1) %376, i64 32
  %585 = extractelement <8 x i64> %575, i64 1
  %586 = getelementptr double, ptr addrspace(1) %584, i64 %585
  %587 = load double, ptr addrspace(1) %586, align 8, !llvm.access.group !7
  %588 = insertelement <8 x double> %582, double %587, i64 1
  br label %pred.load.continue328.1

pred.load.continue328.1:                          ; preds = %pred.load.if327.1, %pred.load.continue326.1
  %589 = phi <8 x double> [ %582, %pred.load.continue326.1 ], [ %588, %pred.load.if327.1 ]
  %590 = extractelement <8 x i1> %573, i64 2
  br i1 %590, label %pred.load.if329.1, label %pred.load.continue330.1

pred.load.if329.1:                                ; preds = %pred.load.continue328.1
  %591 = getelementptr i8, ptr addrspace(1) %378, i64 32
  %592 = extractelement <8 x i64> %575, i64 2
  %593 = getelementptr double, ptr addrspace(1) %591, i64 %592
  %594 = load double, ptr addrspace(1) %593, align 8, !llvm.access.group !7
  %595 = insertelement <8 x double> %589, double %594, i64 2
  br label %pred.load.continue330.1

pred.load.continue330.1:                          ; preds = %pred.load.if329.1, %pred.load.continue328.1
  %596 = phi <8 x double> [ %589, %pred.load.continue328.1 ], [ %595, %pred.load.if329.1 ]
  %597 = extractelement <8 x i1> %573, i64 3
  br i1 %597, label %pred.load.if331.1, label %pred.load.continue332.1

pred.load.if331.1:                                ; preds = %pred.load.continue330.1
  %598 = getelementptr i8, ptr addrspace(1) %380, i64 32
  %599 = extractelement <8 x i64> %575, i64 3
  %600 = getelementptr double, ptr addrspace(1) %598, i64 %599
  %601 = load double, ptr addrspace(1) %600, align 8, !llvm.access.group !7
  %602 = insertelement <8 x double> %596, double %601, i64 3
  br label %pred.load.continue332.1

pred.load.continue332.1:                          ; preds = %pred.load.if331.1, %pred.load.continue330.1
  %603 = phi <8 x double> [ %596, %pred.load.continue330.1 ], [ %602, %pred.load.if331.1 ]
  %604 = extractelement <8 x i1> %573, i64 4
  br i1 %604, label %pred.load.if333.1, label %pred.load.continue334.1

pred.load.if333.1:                                ; preds = %pred.load.continue332.1
  %605 = getelementptr i8, ptr addrspace(1) %382, i64 32
  %606 = extractelement <8 x i64> %575, i64 4
  %607 = getelementptr double, ptr addrspace(1) %605, i64 %606
  %608 = load double, ptr addrspace(1) %607, align 8, !llvm.access.group !7
  %609 = insertelement <8 x double> %603, double %608, i64 4
  br label %pred.load.continue334.1

pred.load.continue334.1:                          ; preds = %pred.load.if333.1, %pred.load.continue332.1
  %610 = phi <8 x double> [ %603, %pred.load.continue332.1 ], [ %609, %pred.load.if333.1 ]
  %611 = extractelement <8 x i1> %573, i64 5
  br i1 %611, label %pred.load.if335.1, label %pred.load.continue336.1

pred.load.if335.1:                                ; preds = %pred.load.continue334.1
  %612 = getelementptr i8, ptr addrspace(1) %384, i64 32
  %613 = extractelement <8 x i64> %575, i64 5
  %614 = getelementptr double, ptr addrspace(1) %612, i64 %613
  %615 = load double, ptr addrspace(1) %614, align 8, !llvm.access.group !7
  %616 = insertelement <8 x double> %610, double %615, i64 5
  br label %pred.load.continue336.1

pred.load.continue336.1:                          ; preds = %pred.load.if335.1, %pred.load.continue334.1
  %617 = phi <8 x double> [ %610, %pred.load.continue334.1 ], [ %616, %pred.load.if335.1 ]
  %618 = extractelement <8 x i1> %573, i64 6
  br i1 %618, label %pred.load.if337.1, label %pred.load.continue338.1

pred.load.if337.1:                                ; preds = %pred.load.continue336.1
  %619 = getelementptr i8, ptr addrspace(1) %386, i64 32
  %620 = extractelement <8 x i64> %575, i64 6
  %621 = getelementptr double, ptr addrspace(1) %619, i64 %620
  %622 = load double, ptr addrspace(1) %621, align 8, !llvm.access.group !7
  %623 = insertelement <8 x double> %617, double %622, i64 6
  br label %pred.load.continue338.1

pred.load.continue338.1:                          ; preds = %pred.load.if337.1, %pred.load.continue336.1
  %624 = phi <8 x double> [ %617, %pred.load.continue336.1 ], [ %623, %pred.load.if337.1 ]
  %625 = extractelement <8 x i1> %573, i64 7
  br i1 %625, label %pred.load.if339.1, label %pred.load.continue340.1

pred.load.if339.1:                                ; preds = %pred.load.continue338.1
  %626 = getelementptr i8, ptr addrspace(1) %388, i64 32
  %627 = extractelement <8 x i64> %575, i64 7
  %628 = getelementptr double, ptr addrspace(1) %626, i64 %627
  %629 = load double, ptr addrspace(1) %628, align 8, !llvm.access.group !7
  %630 = insertelement <8 x double> %624, double %629, i64 7
  br label %pred.load.continue340.1

pred.load.continue340.1:                          ; preds = %pred.load.if339.1, %pred.load.continue338.1
  %631 = phi <8 x double> [ %624, %pred.load.continue338.1 ], [ %630, %pred.load.if339.1 ]
  %632 = fadd <8 x double> %570, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  tail call void @llvm.masked.store.v8f64.p1(<8 x double> %632, ptr addrspace(1) %371, i32 8, <8 x i1> %573), !llvm.access.group !7
  %633 = fadd <8 x double> %571, %631
  %634 = icmp sgt <8 x i64> %369, <i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6>
  %635 = sub nsw <8 x i64> <i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12>, %369
  %636 = getelementptr double, ptr addrspace(1) %.5, <8 x i64> %368
  %637 = and <8 x i1> %573, %634
  %predphi341.1 = select <8 x i1> %407, <8 x ptr addrspace(1)> %636, <8 x ptr addrspace(1)> undef
  %638 = or <8 x i1> %637, %572
  %predphi343.1 = select <8 x i1> %638, <8 x ptr addrspace(1)> undef, <8 x ptr addrspace(1)> %predphi341.1
  %not..1 = xor <8 x i1> %637, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %narrow393.1 = select <8 x i1> %not..1, <8 x i1> %573, <8 x i1> zeroinitializer
  %predphi349.1 = zext <8 x i1> %narrow393.1 to <8 x i8>
  %predphi350.1 = select <8 x i1> %407, <8 x double> %633, <8 x double> %406
  %predphi351.1 = select <8 x i1> %572, <8 x double> %571, <8 x double> %predphi350.1
  %predphi353.1 = select <8 x i1> %407, <8 x double> %633, <8 x double> undef
  %predphi355.1 = select <8 x i1> %638, <8 x double> undef, <8 x double> %predphi353.1
  %.sroa.0479.8.vec.expand = shufflevector <8 x i8> %predphi349.1, <8 x i8> poison, <16 x i32> <i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %.sroa.0479.8.vecblend = shufflevector <16 x i8> %.sroa.0479.0.vec.expand, <16 x i8> %.sroa.0479.8.vec.expand, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %639 = add nuw <8 x i64> %broadcast.splat274, <i64 16, i64 17, i64 18, i64 19, i64 20, i64 21, i64 22, i64 23>
  %640 = select <8 x i1> %38, <8 x i64> %.sroa.5427.4, <8 x i64> zeroinitializer
  %641 = extractelement <8 x i64> %639, i64 0
  %642 = getelementptr double, ptr addrspace(1) %.7, i64 %641
  %643 = sitofp <8 x i64> %640 to <8 x double>
  store <8 x double> %643, ptr addrspace(1) %642, align 8, !llvm.access.group !7
  %644 = extractelement <8 x i64> %640, i64 0
  %645 = getelementptr double, ptr addrspace(1) %.3, i64 %644
  %646 = extractelement <8 x i64> %640, i64 1
  %647 = getelementptr double, ptr addrspace(1) %.3, i64 %646
  %648 = extractelement <8 x i64> %640, i64 2
  %649 = getelementptr double, ptr addrspace(1) %.3, i64 %648
  %650 = extractelement <8 x i64> %640, i64 3
  %651 = getelementptr double, ptr addrspace(1) %.3, i64 %650
  %652 = extractelement <8 x i64> %640, i64 4
  %653 = getelementptr double, ptr addrspace(1) %.3, i64 %652
  %654 = extractelement <8 x i64> %640, i64 5
  %655 = getelementptr double, ptr addrspace(1) %.3, i64 %654
  %656 = extractelement <8 x i64> %640, i64 6
  %657 = getelementptr double, ptr addrspace(1) %.3, i64 %656
  %658 = extractelement <8 x i64> %640, i64 7
  %659 = getelementptr double, ptr addrspace(1) %.3, i64 %658
  %660 = load double, ptr addrspace(1) %645, align 8, !llvm.access.group !7
  %661 = load double, ptr addrspace(1) %647, align 8, !llvm.access.group !7
  %662 = load double, ptr addrspace(1) %649, align 8, !llvm.access.group !7
  %663 = load double, ptr addrspace(1) %651, align 8, !llvm.access.group !7
  %664 = load double, ptr addrspace(1) %653, align 8, !llvm.access.group !7
  %665 = load double, ptr addrspace(1) %655, align 8, !llvm.access.group !7
  %666 = load double, ptr addrspace(1) %657, align 8, !llvm.access.group !7
  %667 = load double, ptr addrspace(1) %659, align 8, !llvm.access.group !7
  %668 = insertelement <8 x double> poison, double %660, i64 0
  %669 = insertelement <8 x double> %668, double %661, i64 1
  %670 = insertelement <8 x double> %669, double %662, i64 2
  %671 = insertelement <8 x double> %670, double %663, i64 3
  %672 = insertelement <8 x double> %671, double %664, i64 4
  %673 = insertelement <8 x double> %672, double %665, i64 5
  %674 = insertelement <8 x double> %673, double %666, i64 6
  %675 = insertelement <8 x double> %674, double %667, i64 7
  %676 = fadd <8 x double> %643, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  store <8 x double> %676, ptr addrspace(1) %642, align 8, !llvm.access.group !7
  %677 = fadd <8 x double> %675, zeroinitializer
  %678 = icmp slt <8 x i64> %640, <i64 9, i64 9, i64 9, i64 9, i64 9, i64 9, i64 9, i64 9>
  %679 = icmp slt <8 x i64> %640, <i64 -1, i64 -1, i64 -1, i64 -1, i64 -1, i64 -1, i64 -1, i64 -1>
  %680 = select <8 x i1> %679, <8 x i64> %broadcast.splat276, <8 x i64> zeroinitializer
  %681 = extractelement <8 x i1> %678, i64 0
  br i1 %681, label %pred.load.if277.2, label %pred.load.continue278.2

pred.load.if277.2:                                ; preds = %pred.load.continue340.1
  %682 = getelementptr i8, ptr addrspace(1) %645, i64 8
  %683 = extractelement <8 x i64> %680, i64 0
  %684 = getelementptr double, ptr addrspace(1) %682, i64 %683
  %685 = load double, ptr addrspace(1) %684, align 8, !llvm.access.group !7
  %686 = insertelement <8 x double> poison, double %685, i64 0
  br label %pred.load.continue278.2

pred.load.continue278.2:                          ; preds = %pred.load.if277.2, %pred.load.continue340.1
  %687 = phi <8 x double> [ poison, %pred.load.continue340.1 ], [ %686, %pred.load.if277.2 ]
  %688 = extractelement <8 x i1> %678, i64 1
  br i1 %688, label %pred.load.if279.2, label %pred.load.continue280.2

pred.load.if279.2:                                ; preds = %pred.load.continue278.2
  %689 = getelementptr i8, ptr addrspace(1) %647, i64 8
  %690 = extractelement <8 x i64> %680, i64 1
  %691 = getelementptr double, ptr addrspace(1) %689, i64 %690
  %692 = load double, ptr addrspace(1) %691, align 8, !llvm.access.group !7
  %693 = insertelement <8 x double> %687, double %692, i64 1
  br label %pred.load.continue280.2

pred.load.continue280.2:                          ; preds = %pred.load.if279.2, %pred.load.continue278.2
  %694 = phi <8 x double> [ %687, %pred.load.continue278.2 ], [ %693, %pred.load.if279.2 ]
  %695 = extractelement <8 x i1> %678, i64 2
  br i1 %695, label %pred.load.if281.2, label %pred.load.continue282.2

pred.load.if281.2:                                ; preds = %pred.load.continue280.2
  %696 = getelementptr i8, ptr addrspace(1) %649, i64 8
  %697 = extractelement <8 x i64> %680, i64 2
  %698 = getelementptr double, ptr addrspace(1) %696, i64 %697
  %699 = load double, ptr addrspace(1) %698, align 8, !llvm.access.group !7
  %700 = insertelement <8 x double> %694, double %699, i64 2
  br label %pred.load.continue282.2

pred.load.continue282.2:                          ; preds = %pred.load.if281.2, %pred.load.continue280.2
  %701 = phi <8 x double> [ %694, %pred.load.continue280.2 ], [ %700, %pred.load.if281.2 ]
  %702 = extractelement <8 x i1> %678, i64 3
  br i1 %702, label %pred.load.if283.2, label %pred.load.continue284.2

pred.load.if283.2:                                ; preds = %pred.load.continue282.2
  %703 = getelementptr i8, ptr addrspace(1) %651, i64 8
  %704 = extractelement <8 x i64> %680, i64 3
  %705 = getelementptr double, ptr addrspace(1) %703, i64 %704
  %706 = load double, ptr addrspace(1) %705, align 8, !llvm.access.group !7
  %707 = insertelement <8 x double> %701, double %706, i64 3
  br label %pred.load.continue284.2

pred.load.continue284.2:                          ; preds = %pred.load.if283.2, %pred.load.continue282.2
  %708 = phi <8 x double> [ %701, %pred.load.continue282.2 ], [ %707, %pred.load.if283.2 ]
  %709 = extractelement <8 x i1> %678, i64 4
  br i1 %709, label %pred.load.if285.2, label %pred.load.continue286.2

pred.load.if285.2:                                ; preds = %pred.load.continue284.2
  %710 = getelementptr i8, ptr addrspace(1) %653, i64 8
  %711 = extractelement <8 x i64> %680, i64 4
  %712 = getelementptr double, ptr addrspace(1) %710, i64 %711
  %713 = load double, ptr addrspace(1) %712, align 8, !llvm.access.group !7
  %714 = insertelement <8 x double> %708, double %713, i64 4
  br label %pred.load.continue286.2

pred.load.continue286.2:                          ; preds = %pred.load.if285.2, %pred.load.continue284.2
  %715 = phi <8 x double> [ %708, %pred.load.continue284.2 ], [ %714, %pred.load.if285.2 ]
  %716 = extractelement <8 x i1> %678, i64 5
  br i1 %716, label %pred.load.if287.2, label %pred.load.continue288.2

pred.load.if287.2:                                ; preds = %pred.load.continue286.2
  %717 = getelementptr i8, ptr addrspace(1) %655, i64 8
  %718 = extractelement <8 x i64> %680, i64 5
  %719 = getelementptr double, ptr addrspace(1) %717, i64 %718
  %720 = load double, ptr addrspace(1) %719, align 8, !llvm.access.group !7
  %721 = insertelement <8 x double> %715, double %720, i64 5
  br label %pred.load.continue288.2

pred.load.continue288.2:                          ; preds = %pred.load.if287.2, %pred.load.continue286.2
  %722 = phi <8 x double> [ %715, %pred.load.continue286.2 ], [ %721, %pred.load.if287.2 ]
  %723 = extractelement <8 x i1> %678, i64 6
  br i1 %723, label %pred.load.if289.2, label %pred.load.continue290.2

pred.load.if289.2:                                ; preds = %pred.load.continue288.2
  %724 = getelementptr i8, ptr addrspace(1) %657, i64 8
  %725 = extractelement <8 x i64> %680, i64 6
  %726 = getelementptr double, ptr addrspace(1) %724, i64 %725
  %727 = load double, ptr addrspace(1) %726, align 8, !llvm.access.group !7
  %728 = insertelement <8 x double> %722, double %727, i64 6
  br label %pred.load.continue290.2

pred.load.continue290.2:                          ; preds = %pred.load.if289.2, %pred.load.continue288.2
  %729 = phi <8 x double> [ %722, %pred.load.continue288.2 ], [ %728, %pred.load.if289.2 ]
  %730 = extractelement <8 x i1> %678, i64 7
  br i1 %730, label %pred.load.if291.2, label %pred.load.continue292.2

pred.load.if291.2:                                ; preds = %pred.load.continue290.2
  %731 = getelementptr i8, ptr addrspace(1) %659, i64 8
  %732 = extractelement <8 x i64> %680, i64 7
  %733 = getelementptr double, ptr addrspace(1) %731, i64 %732
  %734 = load double, ptr addrspace(1) %733, align 8, !llvm.access.group !7
  %735 = insertelement <8 x double> %729, double %734, i64 7
  br label %pred.load.continue292.2

pred.load.continue292.2:                          ; preds = %pred.load.if291.2, %pred.load.continue290.2
  %736 = phi <8 x double> [ %729, %pred.load.continue290.2 ], [ %735, %pred.load.if291.2 ]
  %737 = fadd <8 x double> %676, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  tail call void @llvm.masked.store.v8f64.p1(<8 x double> %737, ptr addrspace(1) %642, i32 8, <8 x i1> %678), !llvm.access.group !7
  %738 = fadd <8 x double> %677, %736
  %739 = icmp slt <8 x i64> %640, <i64 -2, i64 -2, i64 -2, i64 -2, i64 -2, i64 -2, i64 -2, i64 -2>
  %740 = select <8 x i1> %739, <8 x i64> %broadcast.splat276, <8 x i64> zeroinitializer
  br i1 %681, label %pred.load.if293.2, label %pred.load.continue294.2

pred.load.if293.2:                                ; preds = %pred.load.continue292.2
  %741 = getelementptr i8, ptr addrspace(1) %645, i64 16
  %742 = extractelement <8 x i64> %740, i64 0
  %743 = getelementptr double, ptr addrspace(1) %741, i64 %742
  %744 = load double, ptr addrspace(1) %743, align 8, !llvm.access.group !7
  %745 = insertelement <8 x double> poison, double %744, i64 0
  br label %pred.load.continue294.2

pred.load.continue294.2:                          ; preds = %pred.load.if293.2, %pred.load.continue292.2
  %746 = phi <8 x double> [ poison, %pred.load.continue292.2 ], [ %745, %pred.load.if293.2 ]
  br i1 %688, label %pred.load.if295.2, label %pred.load.continue296.2

pred.load.if295.2:                                ; preds = %pred.load.continue294.2
  %747 = getelementptr i8, ptr addrspace(1) %647, i64 16
  %748 = extractelement <8 x i64> %740, i64 1
  %749 = getelementptr double, ptr addrspace(1) %747, i64 %748
  %750 = load double, ptr addrspace(1) %749, align 8, !llvm.access.group !7
  %751 = insertelement <8 x double> %746, double %750, i64 1
  br label %pred.load.continue296.2

pred.load.continue296.2:                          ; preds = %pred.load.if295.2, %pred.load.continue294.2
  %752 = phi <8 x double> [ %746, %pred.load.continue294.2 ], [ %751, %pred.load.if295.2 ]
  br i1 %695, label %pred.load.if297.2, label %pred.load.continue298.2

pred.load.if297.2:                                ; preds = %pred.load.continue296.2
  %753 = getelementptr i8, ptr addrspace(1) %649, i64 16
  %754 = extractelement <8 x i64> %740, i64 2
  %755 = getelementptr double, ptr addrspace(1) %753, i64 %754
  %756 = load double, ptr addrspace(1) %755, align 8, !llvm.access.group !7
  %757 = insertelement <8 x double> %752, double %756, i64 2
  br label %pred.load.continue298.2

pred.load.continue298.2:                          ; preds = %pred.load.if297.2, %pred.load.continue296.2
  %758 = phi <8 x double> [ %752, %pred.load.continue296.2 ], [ %757, %pred.load.if297.2 ]
  br i1 %702, label %pred.load.if299.2, label %pred.load.continue300.2

pred.load.if299.2:                                ; preds = %pred.load.continue298.2
  %759 = getelementptr i8, ptr addrspace(1) %651, i64 16
  %760 = extractelement <8 x i64> %740, i64 3
  %761 = getelementptr double, ptr addrspace(1) %759, i64 %760
  %762 = load double, ptr addrspace(1) %761, align 8, !llvm.access.group !7
  %763 = insertelement <8 x double> %758, double %762, i64 3
  br label %pred.load.continue300.2

pred.load.continue300.2:                          ; preds = %pred.load.if299.2, %pred.load.continue298.2
  %764 = phi <8 x double> [ %758, %pred.load.continue298.2 ], [ %763, %pred.load.if299.2 ]
  br i1 %709, label %pred.load.if301.2, label %pred.load.continue302.2

pred.load.if301.2:                                ; preds = %pred.load.continue300.2
  %765 = getelementptr i8, ptr addrspace(1) %653, i64 16
  %766 = extractelement <8 x i64> %740, i64 4
  %767 = getelementptr double, ptr addrspace(1) %765, i64 %766
  %768 = load double, ptr addrspace(1) %767, align 8, !llvm.access.group !7
  %769 = insertelement <8 x double> %764, double %768, i64 4
  br label %pred.load.continue302.2

pred.load.continue302.2:                          ; preds = %pred.load.if301.2, %pred.load.continue300.2
  %770 = phi <8 x double> [ %764, %pred.load.continue300.2 ], [ %769, %pred.load.if301.2 ]
  br i1 %716, label %pred.load.if303.2, label %pred.load.continue304.2

pred.load.if303.2:                                ; preds = %pred.load.continue302.2
  %771 = getelementptr i8, ptr addrspace(1) %655, i64 16
  %772 = extractelement <8 x i64> %740, i64 5
  %773 = getelementptr double, ptr addrspace(1) %771, i64 %772
  %774 = load double, ptr addrspace(1) %773, align 8, !llvm.access.group !7
  %775 = insertelement <8 x double> %770, double %774, i64 5
  br label %pred.load.continue304.2

pred.load.continue304.2:                          ; preds = %pred.load.if303.2, %pred.load.continue302.2
  %776 = phi <8 x double> [ %770, %pred.load.continue302.2 ], [ %775, %pred.load.if303.2 ]
  br i1 %723, label %pred.load.if305.2, label %pred.load.continue306.2

pred.load.if305.2:                                ; preds = %pred.load.continue304.2
  %777 = getelementptr i8, ptr addrspace(1) %657, i64 16
  %778 = extractelement <8 x i64> %740, i64 6
  %779 = getelementptr double, ptr addrspace(1) %777, i64 %778
  %780 = load double, ptr addrspace(1) %779, align 8, !llvm.access.group !7
  %781 = insertelement <8 x double> %776, double %780, i64 6
  br label %pred.load.continue306.2

pred.load.continue306.2:                          ; preds = %pred.load.if305.2, %pred.load.continue304.2
  %782 = phi <8 x double> [ %776, %pred.load.continue304.2 ], [ %781, %pred.load.if305.2 ]
  br i1 %730, label %pred.load.if307.2, label %pred.load.continue308.2

pred.load.if307.2:                                ; preds = %pred.load.continue306.2
  %783 = getelementptr i8, ptr addrspace(1) %659, i64 16
  %784 = extractelement <8 x i64> %740, i64 7
  %785 = getelementptr double, ptr addrspace(1) %783, i64 %784
  %786 = load double, ptr addrspace(1) %785, align 8, !llvm.access.group !7
  %787 = insertelement <8 x double> %782, double %786, i64 7
  br label %pred.load.continue308.2

pred.load.continue308.2:                          ; preds = %pred.load.if307.2, %pred.load.continue306.2
  %788 = phi <8 x double> [ %782, %pred.load.continue306.2 ], [ %787, %pred.load.if307.2 ]
  %789 = fadd <8 x double> %737, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  tail call void @llvm.masked.store.v8f64.p1(<8 x double> %789, ptr addrspace(1) %642, i32 8, <8 x i1> %678), !llvm.access.group !7
  %790 = fadd <8 x double> %738, %788
  %791 = icmp slt <8 x i64> %640, <i64 -3, i64 -3, i64 -3, i64 -3, i64 -3, i64 -3, i64 -3, i64 -3>
  %792 = select <8 x i1> %791, <8 x i64> %broadcast.splat276, <8 x i64> zeroinitializer
  br i1 %681, label %pred.load.if309.2, label %pred.load.continue310.2

pred.load.if309.2:                                ; preds = %pred.load.continue308.2
  %793 = getelementptr i8, ptr addrspace(1) %645, i64 24
  %794 = extractelement <8 x i64> %792, i64 0
  %795 = getelementptr double, ptr addrspace(1) %793, i64 %794
  %796 = load double, ptr addrspace(1) %795, align 8, !llvm.access.group !7
  %797 = insertelement <8 x double> poison, double %796, i64 0
  br label %pred.load.continue310.2

pred.load.continue310.2:                          ; preds = %pred.load.if309.2, %pred.load.continue308.2
  %798 = phi <8 x double> [ poison, %pred.load.continue308.2 ], [ %797, %pred.load.if309.2 ]
  br i1 %688, label %pred.load.if311.2, label %pred.load.continue312.2

pred.load.if311.2:                                ; preds = %pred.load.continue310.2
  %799 = getelementptr i8, ptr addrspace(1) %647, i64 24
  %800 = extractelement <8 x i64> %792, i64 1
  %801 = getelementptr double, ptr addrspace(1) %799, i64 %800
  %802 = load double, ptr addrspace(1) %801, align 8, !llvm.access.group !7
  %803 = insertelement <8 x double> %798, double %802, i64 1
  br label %pred.load.continue312.2

pred.load.continue312.2:                          ; preds = %pred.load.if311.2, %pred.load.continue310.2
  %804 = phi <8 x double> [ %798, %pred.load.continue310.2 ], [ %803, %pred.load.if311.2 ]
  br i1 %695, label %pred.load.if313.2, label %pred.load.continue314.2

pred.load.if313.2:                                ; preds = %pred.load.continue312.2
  %805 = getelementptr i8, ptr addrspace(1) %649, i64 24
  %806 = extractelement <8 x i64> %792, i64 2
  %807 = getelementptr double, ptr addrspace(1) %805, i64 %806
  %808 = load double, ptr addrspace(1) %807, align 8, !llvm.access.group !7
  %809 = insertelement <8 x double> %804, double %808, i64 2
  br label %pred.load.continue314.2

pred.load.continue314.2:                          ; preds = %pred.load.if313.2, %pred.load.continue312.2
  %810 = phi <8 x double> [ %804, %pred.load.continue312.2 ], [ %809, %pred.load.if313.2 ]
  br i1 %702, label %pred.load.if315.2, label %pred.load.continue316.2

pred.load.if315.2:                                ; preds = %pred.load.continue314.2
  %811 = getelementptr i8, ptr addrspace(1) %651, i64 24
  %812 = extractelement <8 x i64> %792, i64 3
  %813 = getelementptr double, ptr addrspace(1) %811, i64 %812
  %814 = load double, ptr addrspace(1) %813, align 8, !llvm.access.group !7
  %815 = insertelement <8 x double> %810, double %814, i64 3
  br label %pred.load.continue316.2

pred.load.continue316.2:                          ; preds = %pred.load.if315.2, %pred.load.continue314.2
  %816 = phi <8 x double> [ %810, %pred.load.continue314.2 ], [ %815, %pred.load.if315.2 ]
  br i1 %709, label %pred.load.if317.2, label %pred.load.continue318.2

pred.load.if317.2:                                ; preds = %pred.load.continue316.2
  %817 = getelementptr i8, ptr addrspace(1) %653, i64 24
  %818 = extractelement <8 x i64> %792, i64 4
  %819 = getelementptr double, ptr addrspace(1) %817, i64 %818
  %820 = load double, ptr addrspace(1) %819, align 8, !llvm.access.group !7
  %821 = insertelement <8 x double> %816, double %820, i64 4
  br label %pred.load.continue318.2

pred.load.continue318.2:                          ; preds = %pred.load.if317.2, %pred.load.continue316.2
  %822 = phi <8 x double> [ %816, %pred.load.continue316.2 ], [ %821, %pred.load.if317.2 ]
  br i1 %716, label %pred.load.if319.2, label %pred.load.continue320.2

pred.load.if319.2:                                ; preds = %pred.load.continue318.2
  %823 = getelementptr i8, ptr addrspace(1) %655, i64 24
  %824 = extractelement <8 x i64> %792, i64 5
  %825 = getelementptr double, ptr addrspace(1) %823, i64 %824
  %826 = load double, ptr addrspace(1) %825, align 8, !llvm.access.group !7
  %827 = insertelement <8 x double> %822, double %826, i64 5
  br label %pred.load.continue320.2

pred.load.continue320.2:                          ; preds = %pred.load.if319.2, %pred.load.continue318.2
  %828 = phi <8 x double> [ %822, %pred.load.continue318.2 ], [ %827, %pred.load.if319.2 ]
  br i1 %723, label %pred.load.if321.2, label %pred.load.continue322.2

pred.load.if321.2:                                ; preds = %pred.load.continue320.2
  %829 = getelementptr i8, ptr addrspace(1) %657, i64 24
  %830 = extractelement <8 x i64> %792, i64 6
  %831 = getelementptr double, ptr addrspace(1) %829, i64 %830
  %832 = load double, ptr addrspace(1) %831, align 8, !llvm.access.group !7
  %833 = insertelement <8 x double> %828, double %832, i64 6
  br label %pred.load.continue322.2

pred.load.continue322.2:                          ; preds = %pred.load.if321.2, %pred.load.continue320.2
  %834 = phi <8 x double> [ %828, %pred.load.continue320.2 ], [ %833, %pred.load.if321.2 ]
  br i1 %730, label %pred.load.if323.2, label %pred.load.continue324.2

pred.load.if323.2:                                ; preds = %pred.load.continue322.2
  %835 = getelementptr i8, ptr addrspace(1) %659, i64 24
  %836 = extractelement <8 x i64> %792, i64 7
  %837 = getelementptr double, ptr addrspace(1) %835, i64 %836
  %838 = load double, ptr addrspace(1) %837, align 8, !llvm.access.group !7
  %839 = insertelement <8 x double> %834, double %838, i64 7
  br label %pred.load.continue324.2

pred.load.continue324.2:                          ; preds = %pred.load.if323.2, %pred.load.continue322.2
  %840 = phi <8 x double> [ %834, %pred.load.continue322.2 ], [ %839, %pred.load.if323.2 ]
  %841 = fadd <8 x double> %789, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  tail call void @llvm.masked.store.v8f64.p1(<8 x double> %841, ptr addrspace(1) %642, i32 8, <8 x i1> %678), !llvm.access.group !7
  %842 = fadd <8 x double> %790, %840
  %843 = icmp eq <8 x i64> %640, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  %844 = xor <8 x i1> %843, %678
  %845 = icmp slt <8 x i64> %640, <i64 -4, i64 -4, i64 -4, i64 -4, i64 -4, i64 -4, i64 -4, i64 -4>
  %846 = select <8 x i1> %845, <8 x i64> %broadcast.splat276, <8 x i64> zeroinitializer
  %847 = extractelement <8 x i1> %844, i64 0
  br i1 %847, label %pred.load.if325.2, label %pred.load.continue326.2

pred.load.if325.2:                                ; preds = %pred.load.continue324.2
  %848 = getelementptr i8, ptr addrspace(1) %645, i64 32
  %849 = extractelement <8 x i64> %846, i64 0
  %850 = getelementptr double, ptr addrspace(1) %848, i64 %849
  %851 = load double, ptr addrspace(1) %850, align 8, !llvm.access.group !7
  %852 = insertelement <8 x double> poison, double %851, i64 0
  br label %pred.load.continue326.2

pred.load.continue326.2:                          ; preds = %pred.load.if325.2, %pred.load.continue324.2
  %853 = phi <8 x double> [ poison, %pred.load.continue324.2 ], [ %852, %pred.load.if325.2 ]
  %854 = extractelement <8 x i1> %844, i64 1
  br i1 %854, label %pred.load.if327.2, label %pred.load.continue328.2

pred.load.if327.2:                                ; preds = %pred.load.continue326.2
  %855 = getelementptr i8, ptr addrspace(1) %647, i64 32
  %856 = extractelement <8 x i64> %846, i64 1
  %857 = getelementptr double, ptr addrspace(1) %855, i64 %856
  %858 = load double, ptr addrspace(1) %857, align 8, !llvm.access.group !7
  %859 = insertelement <8 x double> %853, double %858, i64 1
  br label %pred.load.continue328.2

pred.load.continue328.2:                          ; preds = %pred.load.if327.2, %pred.load.continue326.2
  %860 = phi <8 x double> [ %853, %pred.load.continue326.2 ], [ %859, %pred.load.if327.2 ]
  %861 = extractelement <8 x i1> %844, i64 2
  br i1 %861, label %pred.load.if329.2, label %pred.load.continue330.2

pred.load.if329.2:                                ; preds = %pred.load.continue328.2
  %862 = getelementptr i8, ptr addrspace(1) %649, i64 32
  %863 = extractelement <8 x i64> %846, i64 2
  %864 = getelementptr double, ptr addrspace(1) %862, i64 %863
  %865 = load double, ptr addrspace(1) %864, align 8, !llvm.access.group !7
  %866 = insertelement <8 x double> %860, double %865, i64 2
  br label %pred.load.continue330.2

pred.load.continue330.2:                          ; preds = %pred.load.if329.2, %pred.load.continue328.2
  %867 = phi <8 x double> [ %860, %pred.load.continue328.2 ], [ %866, %pred.load.if329.2 ]
  %868 = extractelement <8 x i1> %844, i64 3
  br i1 %868, label %pred.load.if331.2, label %pred.load.continue332.2

pred.load.if331.2:                                ; preds = %pred.load.continue330.2
  %869 = getelementptr i8, ptr addrspace(1) %651, i64 32
  %870 = extractelement <8 x i64> %846, i64 3
  %871 = getelementptr double, ptr addrspace(1) %869, i64 %870
  %872 = load double, ptr addrspace(1) %871, align 8, !llvm.access.group !7
  %873 = insertelement <8 x double> %867, double %872, i64 3
  br label %pred.load.continue332.2

pred.load.continue332.2:                          ; preds = %pred.load.if331.2, %pred.load.continue330.2
  %874 = phi <8 x double> [ %867, %pred.load.continue330.2 ], [ %873, %pred.load.if331.2 ]
  %875 = extractelement <8 x i1> %844, i64 4
  br i1 %875, label %pred.load.if333.2, label %pred.load.continue334.2

pred.load.if333.2:                                ; preds = %pred.load.continue332.2
  %876 = getelementptr i8, ptr addrspace(1) %653, i64 32
  %877 = extractelement <8 x i64> %846, i64 4
  %878 = getelementptr double, ptr addrspace(1) %876, i64 %877
  %879 = load double, ptr addrspace(1) %878, align 8, !llvm.access.group !7
  %880 = insertelement <8 x double> %874, double %879, i64 4
  br label %pred.load.continue334.2

pred.load.continue334.2:                          ; preds = %pred.load.if333.2, %pred.load.continue332.2
  %881 = phi <8 x double> [ %874, %pred.load.continue332.2 ], [ %880, %pred.load.if333.2 ]
  %882 = extractelement <8 x i1> %844, i64 5
  br i1 %882, label %pred.load.if335.2, label %pred.load.continue336.2

pred.load.if335.2:                                ; preds = %pred.load.continue334.2
  %883 = getelementptr i8, ptr addrspace(1) %655, i64 32
  %884 = extractelement <8 x i64> %846, i64 5
  %885 = getelementptr double, ptr addrspace(1) %883, i64 %884
  %886 = load double, ptr addrspace(1) %885, align 8, !llvm.access.group !7
  %887 = insertelement <8 x double> %881, double %886, i64 5
  br label %pred.load.continue336.2

pred.load.continue336.2:                          ; preds = %pred.load.if335.2, %pred.load.continue334.2
  %888 = phi <8 x double> [ %881, %pred.load.continue334.2 ], [ %887, %pred.load.if335.2 ]
  %889 = extractelement <8 x i1> %844, i64 6
  br i1 %889, label %pred.load.if337.2, label %pred.load.continue338.2

pred.load.if337.2:                                ; preds = %pred.load.continue336.2
  %890 = getelementptr i8, ptr addrspace(1) %657, i64 32
  %891 = extractelement <8 x i64> %846, i64 6
  %892 = getelementptr double, ptr addrspace(1) %890, i64 %891
  %893 = load double, ptr addrspace(1) %892, align 8, !llvm.access.group !7
  %894 = insertelement <8 x double> %888, double %893, i64 6
  br label %pred.load.continue338.2

pred.load.continue338.2:                          ; preds = %pred.load.if337.2, %pred.load.continue336.2
  %895 = phi <8 x double> [ %888, %pred.load.continue336.2 ], [ %894, %pred.load.if337.2 ]
  %896 = extractelement <8 x i1> %844, i64 7
  br i1 %896, label %pred.load.if339.2, label %pred.load.continue340.2

pred.load.if339.2:                                ; preds = %pred.load.continue338.2
  %897 = getelementptr i8, ptr addrspace(1) %659, i64 32
  %898 = extractelement <8 x i64> %846, i64 7
  %899 = getelementptr double, ptr addrspace(1) %897, i64 %898
  %900 = load double, ptr addrspace(1) %899, align 8, !llvm.access.group !7
  %901 = insertelement <8 x double> %895, double %900, i64 7
  br label %pred.load.continue340.2

pred.load.continue340.2:                          ; preds = %pred.load.if339.2, %pred.load.continue338.2
  %902 = phi <8 x double> [ %895, %pred.load.continue338.2 ], [ %901, %pred.load.if339.2 ]
  %903 = fadd <8 x double> %841, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  tail call void @llvm.masked.store.v8f64.p1(<8 x double> %903, ptr addrspace(1) %642, i32 8, <8 x i1> %844), !llvm.access.group !7
  %904 = fadd <8 x double> %842, %902
  %905 = icmp sgt <8 x i64> %640, <i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6>
  %906 = sub nsw <8 x i64> <i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12>, %640
  %907 = getelementptr double, ptr addrspace(1) %.5, <8 x i64> %639
  %908 = and <8 x i1> %844, %905
  %predphi341.2 = select <8 x i1> %678, <8 x ptr addrspace(1)> %907, <8 x ptr addrspace(1)> undef
  %909 = or <8 x i1> %908, %843
  %predphi343.2 = select <8 x i1> %909, <8 x ptr addrspace(1)> undef, <8 x ptr addrspace(1)> %predphi341.2
  %not..2 = xor <8 x i1> %908, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %narrow393.2 = select <8 x i1> %not..2, <8 x i1> %844, <8 x i1> zeroinitializer
  %predphi349.2 = zext <8 x i1> %narrow393.2 to <8 x i8>
  %predphi350.2 = select <8 x i1> %678, <8 x double> %904, <8 x double> %677
  %predphi351.2 = select <8 x i1> %843, <8 x double> %842, <8 x double> %predphi350.2
  %predphi353.2 = select <8 x i1> %678, <8 x double> %904, <8 x double> undef
  %predphi355.2 = select <8 x i1> %909, <8 x double> undef, <8 x double> %predphi353.2
  %.sroa.7483.16.vec.expand = shufflevector <8 x i8> %predphi349.2, <8 x i8> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %910 = add nuw <8 x i64> %broadcast.splat274, <i64 24, i64 25, i64 26, i64 27, i64 28, i64 29, i64 30, i64 31>
  %911 = select <8 x i1> %41, <8 x i64> %.sroa.6428.4, <8 x i64> zeroinitializer
  %912 = extractelement <8 x i64> %910, i64 0
  %913 = getelementptr double, ptr addrspace(1) %.7, i64 %912
  %914 = sitofp <8 x i64> %911 to <8 x double>
  store <8 x double> %914, ptr addrspace(1) %913, align 8, !llvm.access.group !7
  %915 = extractelement <8 x i64> %911, i64 0
  %916 = getelementptr double, ptr addrspace(1) %.3, i64 %915
  %917 = extractelement <8 x i64> %911, i64 1
  %918 = getelementptr double, ptr addrspace(1) %.3, i64 %917
  %919 = extractelement <8 x i64> %911, i64 2
  %920 = getelementptr double, ptr addrspace(1) %.3, i64 %919
  %921 = extractelement <8 x i64> %911, i64 3
  %922 = getelementptr double, ptr addrspace(1) %.3, i64 %921
  %923 = extractelement <8 x i64> %911, i64 4
  %924 = getelementptr double, ptr addrspace(1) %.3, i64 %923
  %925 = extractelement <8 x i64> %911, i64 5
  %926 = getelementptr double, ptr addrspace(1) %.3, i64 %925
  %927 = extractelement <8 x i64> %911, i64 6
  %928 = getelementptr double, ptr addrspace(1) %.3, i64 %927
  %929 = extractelement <8 x i64> %911, i64 7
  %930 = getelementptr double, ptr addrspace(1) %.3, i64 %929
  %931 = load double, ptr addrspace(1) %916, align 8, !llvm.access.group !7
  %932 = load double, ptr addrspace(1) %918, align 8, !llvm.access.group !7
  %933 = load double, ptr addrspace(1) %920, align 8, !llvm.access.group !7
  %934 = load double, ptr addrspace(1) %922, align 8, !llvm.access.group !7
  %935 = load double, ptr addrspace(1) %924, align 8, !llvm.access.group !7
  %936 = load double, ptr addrspace(1) %926, align 8, !llvm.access.group !7
  %937 = load double, ptr addrspace(1) %928, align 8, !llvm.access.group !7
  %938 = load double, ptr addrspace(1) %930, align 8, !llvm.access.group !7
  %939 = insertelement <8 x double> poison, double %931, i64 0
  %940 = insertelement <8 x double> %939, double %932, i64 1
  %941 = insertelement <8 x double> %940, double %933, i64 2
  %942 = insertelement <8 x double> %941, double %934, i64 3
  %943 = insertelement <8 x double> %942, double %935, i64 4
  %944 = insertelement <8 x double> %943, double %936, i64 5
  %945 = insertelement <8 x double> %944, double %937, i64 6
  %946 = insertelement <8 x double> %945, double %938, i64 7
  %947 = fadd <8 x double> %914, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  store <8 x double> %947, ptr addrspace(1) %913, align 8, !llvm.access.group !7
  %948 = fadd <8 x double> %946, zeroinitializer
  %949 = icmp slt <8 x i64> %911, <i64 9, i64 9, i64 9, i64 9, i64 9, i64 9, i64 9, i64 9>
  %950 = icmp slt <8 x i64> %911, <i64 -1, i64 -1, i64 -1, i64 -1, i64 -1, i64 -1, i64 -1, i64 -1>
  %951 = select <8 x i1> %950, <8 x i64> %broadcast.splat276, <8 x i64> zeroinitializer
  %952 = extractelement <8 x i1> %949, i64 0
  br i1 %952, label %pred.load.if277.3, label %pred.load.continue278.3

pred.load.if277.3:                                ; preds = %pred.load.continue340.2
  %953 = getelementptr i8, ptr addrspace(1) %916, i64 8
  %954 = extractelement <8 x i64> %951, i64 0
  %955 = getelementptr double, ptr addrspace(1) %953, i64 %954
  %956 = load double, ptr addrspace(1) %955, align 8, !llvm.access.group !7
  %957 = insertelement <8 x double> poison, double %956, i64 0
  br label %pred.load.continue278.3

pred.load.continue278.3:                          ; preds = %pred.load.if277.3, %pred.load.continue340.2
  %958 = phi <8 x double> [ poison, %pred.load.continue340.2 ], [ %957, %pred.load.if277.3 ]
  %959 = extractelement <8 x i1> %949, i64 1
  br i1 %959, label %pred.load.if279.3, label %pred.load.continue280.3

pred.load.if279.3:                                ; preds = %pred.load.continue278.3
  %960 = getelementptr i8, ptr addrspace(1) %918, i64 8
  %961 = extractelement <8 x i64> %951, i64 1
  %962 = getelementptr double, ptr addrspace(1) %960, i64 %961
  %963 = load double, ptr addrspace(1) %962, align 8, !llvm.access.group !7
  %964 = insertelement <8 x double> %958, double %963, i64 1
  br label %pred.load.continue280.3

pred.load.continue280.3:                          ; preds = %pred.load.if279.3, %pred.load.continue278.3
  %965 = phi <8 x double> [ %958, %pred.load.continue278.3 ], [ %964, %pred.load.if279.3 ]
  %966 = extractelement <8 x i1> %949, i64 2
  br i1 %966, label %pred.load.if281.3, label %pred.load.continue282.3

pred.load.if281.3:                                ; preds = %pred.load.continue280.3
  %967 = getelementptr i8, ptr addrspace(1) %920, i64 8
  %968 = extractelement <8 x i64> %951, i64 2
  %969 = getelementptr double, ptr addrspace(1) %967, i64 %968
  %970 = load double, ptr addrspace(1) %969, align 8, !llvm.access.group !7
  %971 = insertelement <8 x double> %965, double %970, i64 2
  br label %pred.load.continue282.3

pred.load.continue282.3:                          ; preds = %pred.load.if281.3, %pred.load.continue280.3
  %972 = phi <8 x double> [ %965, %pred.load.continue280.3 ], [ %971, %pred.load.if281.3 ]
  %973 = extractelement <8 x i1> %949, i64 3
  br i1 %973, label %pred.load.if283.3, label %pred.load.continue284.3

pred.load.if283.3:                                ; preds = %pred.load.continue282.3
  %974 = getelementptr i8, ptr addrspace(1) %922, i64 8
  %975 = extractelement <8 x i64> %951, i64 3
  %976 = getelementptr double, ptr addrspace(1) %974, i64 %975
  %977 = load double, ptr addrspace(1) %976, align 8, !llvm.access.group !7
  %978 = insertelement <8 x double> %972, double %977, i64 3
  br label %pred.load.continue284.3

pred.load.continue284.3:                          ; preds = %pred.load.if283.3, %pred.load.continue282.3
  %979 = phi <8 x double> [ %972, %pred.load.continue282.3 ], [ %978, %pred.load.if283.3 ]
  %980 = extractelement <8 x i1> %949, i64 4
  br i1 %980, label %pred.load.if285.3, label %pred.load.continue286.3

pred.load.if285.3:                                ; preds = %pred.load.continue284.3
  %981 = getelementptr i8, ptr addrspace(1) %924, i64 8
  %982 = extractelement <8 x i64> %951, i64 4
  %983 = getelementptr double, ptr addrspace(1) %981, i64 %982
  %984 = load double, ptr addrspace(1) %983, align 8, !llvm.access.group !7
  %985 = insertelement <8 x double> %979, double %984, i64 4
  br label %pred.load.continue286.3

pred.load.continue286.3:                          ; preds = %pred.load.if285.3, %pred.load.continue284.3
  %986 = phi <8 x double> [ %979, %pred.load.continue284.3 ], [ %985, %pred.load.if285.3 ]
  %987 = extractelement <8 x i1> %949, i64 5
  br i1 %987, label %pred.load.if287.3, label %pred.load.continue288.3

pred.load.if287.3:                                ; preds = %pred.load.continue286.3
  %988 = getelementptr i8, ptr addrspace(1) %926, i64 8
  %989 = extractelement <8 x i64> %951, i64 5
  %990 = getelementptr double, ptr addrspace(1) %988, i64 %989
  %991 = load double, ptr addrspace(1) %990, align 8, !llvm.access.group !7
  %992 = insertelement <8 x double> %986, double %991, i64 5
  br label %pred.load.continue288.3

pred.load.continue288.3:                          ; preds = %pred.load.if287.3, %pred.load.continue286.3
  %993 = phi <8 x double> [ %986, %pred.load.continue286.3 ], [ %992, %pred.load.if287.3 ]
  %994 = extractelement <8 x i1> %949, i64 6
  br i1 %994, label %pred.load.if289.3, label %pred.load.continue290.3

pred.load.if289.3:                                ; preds = %pred.load.continue288.3
  %995 = getelementptr i8, ptr addrspace(1) %928, i64 8
  %996 = extractelement <8 x i64> %951, i64 6
  %997 = getelementptr double, ptr addrspace(1) %995, i64 %996
  %998 = load double, ptr addrspace(1) %997, align 8, !llvm.access.group !7
  %999 = insertelement <8 x double> %993, double %998, i64 6
  br label %pred.load.continue290.3

pred.load.continue290.3:                          ; preds = %pred.load.if289.3, %pred.load.continue288.3
  %1000 = phi <8 x double> [ %993, %pred.load.continue288.3 ], [ %999, %pred.load.if289.3 ]
  %1001 = extractelement <8 x i1> %949, i64 7
  br i1 %1001, label %pred.load.if291.3, label %pred.load.continue292.3

pred.load.if291.3:                                ; preds = %pred.load.continue290.3
  %1002 = getelementptr i8, ptr addrspace(1) %930, i64 8
  %1003 = extractelement <8 x i64> %951, i64 7
  %1004 = getelementptr double, ptr addrspace(1) %1002, i64 %1003
  %1005 = load double, ptr addrspace(1) %1004, align 8, !llvm.access.group !7
  %1006 = insertelement <8 x double> %1000, double %1005, i64 7
  br label %pred.load.continue292.3

pred.load.continue292.3:                          ; preds = %pred.load.if291.3, %pred.load.continue290.3
  %1007 = phi <8 x double> [ %1000, %pred.load.continue290.3 ], [ %1006, %pred.load.if291.3 ]
  %1008 = fadd <8 x double> %947, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  tail call void @llvm.masked.store.v8f64.p1(<8 x double> %1008, ptr addrspace(1) %913, i32 8, <8 x i1> %949), !llvm.access.group !7
  %1009 = fadd <8 x double> %948, %1007
  %1010 = icmp slt <8 x i64> %911, <i64 -2, i64 -2, i64 -2, i64 -2, i64 -2, i64 -2, i64 -2, i64 -2>
  %1011 = select <8 x i1> %1010, <8 x i64> %broadcast.splat276, <8 x i64> zeroinitializer
  br i1 %952, label %pred.load.if293.3, label %pred.load.continue294.3

pred.load.if293.3:                                ; preds = %pred.load.continue292.3
  %1012 = getelementptr i8, ptr addrspace(1) %916, i64 16
  %1013 = extractelement <8 x i64> %1011, i64 0
  %1014 = getelementptr double, ptr addrspace(1) %1012, i64 %1013
  %1015 = load double, ptr addrspace(1) %1014, align 8, !llvm.access.group !7
  %1016 = insertelement <8 x double> poison, double %1015, i64 0
  br label %pred.load.continue294.3

pred.load.continue294.3:                          ; preds = %pred.load.if293.3, %pred.load.continue292.3
  %1017 = phi <8 x double> [ poison, %pred.load.continue292.3 ], [ %1016, %pred.load.if293.3 ]
  br i1 %959, label %pred.load.if295.3, label %pred.load.continue296.3

pred.load.if295.3:                                ; preds = %pred.load.continue294.3
  %1018 = getelementptr i8, ptr addrspace(1) %918, i64 16
  %1019 = extractelement <8 x i64> %1011, i64 1
  %1020 = getelementptr double, ptr addrspace(1) %1018, i64 %1019
  %1021 = load double, ptr addrspace(1) %1020, align 8, !llvm.access.group !7
  %1022 = insertelement <8 x double> %1017, double %1021, i64 1
  br label %pred.load.continue296.3

pred.load.continue296.3:                          ; preds = %pred.load.if295.3, %pred.load.continue294.3
  %1023 = phi <8 x double> [ %1017, %pred.load.continue294.3 ], [ %1022, %pred.load.if295.3 ]
  br i1 %966, label %pred.load.if297.3, label %pred.load.continue298.3

pred.load.if297.3:                                ; preds = %pred.load.continue296.3
  %1024 = getelementptr i8, ptr addrspace(1) %920, i64 16
  %1025 = extractelement <8 x i64> %1011, i64 2
  %1026 = getelementptr double, ptr addrspace(1) %1024, i64 %1025
  %1027 = load double, ptr addrspace(1) %1026, align 8, !llvm.access.group !7
  %1028 = insertelement <8 x double> %1023, double %1027, i64 2
  br label %pred.load.continue298.3

pred.load.continue298.3:                          ; preds = %pred.load.if297.3, %pred.load.continue296.3
  %1029 = phi <8 x double> [ %1023, %pred.load.continue296.3 ], [ %1028, %pred.load.if297.3 ]
  br i1 %973, label %pred.load.if299.3, label %pred.load.continue300.3

pred.load.if299.3:                                ; preds = %pred.load.continue298.3
  %1030 = getelementptr i8, ptr addrspace(1) %922, i64 16
  %1031 = extractelement <8 x i64> %1011, i64 3
  %1032 = getelementptr double, ptr addrspace(1) %1030, i64 %1031
  %1033 = load double, ptr addrspace(1) %1032, align 8, !llvm.access.group !7
  %1034 = insertelement <8 x double> %1029, double %1033, i64 3
  br label %pred.load.continue300.3

pred.load.continue300.3:                          ; preds = %pred.load.if299.3, %pred.load.continue298.3
  %1035 = phi <8 x double> [ %1029, %pred.load.continue298.3 ], [ %1034, %pred.load.if299.3 ]
  br i1 %980, label %pred.load.if301.3, label %pred.load.continue302.3

pred.load.if301.3:                                ; preds = %pred.load.continue300.3
  %1036 = getelementptr i8, ptr addrspace(1) %924, i64 16
  %1037 = extractelement <8 x i64> %1011, i64 4
  %1038 = getelementptr double, ptr addrspace(1) %1036, i64 %1037
  %1039 = load double, ptr addrspace(1) %1038, align 8, !llvm.access.group !7
  %1040 = insertelement <8 x double> %1035, double %1039, i64 4
  br label %pred.load.continue302.3

pred.load.continue302.3:                          ; preds = %pred.load.if301.3, %pred.load.continue300.3
  %1041 = phi <8 x double> [ %1035, %pred.load.continue300.3 ], [ %1040, %pred.load.if301.3 ]
  br i1 %987, label %pred.load.if303.3, label %pred.load.continue304.3

pred.load.if303.3:                                ; preds = %pred.load.continue302.3
  %1042 = getelementptr i8, ptr addrspace(1) %926, i64 16
  %1043 = extractelement <8 x i64> %1011, i64 5
  %1044 = getelementptr double, ptr addrspace(1) %1042, i64 %1043
  %1045 = load double, ptr addrspace(1) %1044, align 8, !llvm.access.group !7
  %1046 = insertelement <8 x double> %1041, double %1045, i64 5
  br label %pred.load.continue304.3

pred.load.continue304.3:                          ; preds = %pred.load.if303.3, %pred.load.continue302.3
  %1047 = phi <8 x double> [ %1041, %pred.load.continue302.3 ], [ %1046, %pred.load.if303.3 ]
  br i1 %994, label %pred.load.if305.3, label %pred.load.continue306.3

pred.load.if305.3:                                ; preds = %pred.load.continue304.3
  %1048 = getelementptr i8, ptr addrspace(1) %928, i64 16
  %1049 = extractelement <8 x i64> %1011, i64 6
  %1050 = getelementptr double, ptr addrspace(1) %1048, i64 %1049
  %1051 = load double, ptr addrspace(1) %1050, align 8, !llvm.access.group !7
  %1052 = insertelement <8 x double> %1047, double %1051, i64 6
  br label %pred.load.continue306.3

pred.load.continue306.3:                          ; preds = %pred.load.if305.3, %pred.load.continue304.3
  %1053 = phi <8 x double> [ %1047, %pred.load.continue304.3 ], [ %1052, %pred.load.if305.3 ]
  br i1 %1001, label %pred.load.if307.3, label %pred.load.continue308.3

pred.load.if307.3:                                ; preds = %pred.load.continue306.3
  %1054 = getelementptr i8, ptr addrspace(1) %930, i64 16
  %1055 = extractelement <8 x i64> %1011, i64 7
  %1056 = getelementptr double, ptr addrspace(1) %1054, i64 %1055
  %1057 = load double, ptr addrspace(1) %1056, align 8, !llvm.access.group !7
  %1058 = insertelement <8 x double> %1053, double %1057, i64 7
  br label %pred.load.continue308.3

pred.load.continue308.3:                          ; preds = %pred.load.if307.3, %pred.load.continue306.3
  %1059 = phi <8 x double> [ %1053, %pred.load.continue306.3 ], [ %1058, %pred.load.if307.3 ]
  %1060 = fadd <8 x double> %1008, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  tail call void @llvm.masked.store.v8f64.p1(<8 x double> %1060, ptr addrspace(1) %913, i32 8, <8 x i1> %949), !llvm.access.group !7
  %1061 = fadd <8 x double> %1009, %1059
  %1062 = icmp slt <8 x i64> %911, <i64 -3, i64 -3, i64 -3, i64 -3, i64 -3, i64 -3, i64 -3, i64 -3>
  %1063 = select <8 x i1> %1062, <8 x i64> %broadcast.splat276, <8 x i64> zeroinitializer
  br i1 %952, label %pred.load.if309.3, label %pred.load.continue310.3

pred.load.if309.3:                                ; preds = %pred.load.continue308.3
  %1064 = getelementptr i8, ptr addrspace(1) %916, i64 24
  %1065 = extractelement <8 x i64> %1063, i64 0
  %1066 = getelementptr double, ptr addrspace(1) %1064, i64 %1065
  %1067 = load double, ptr addrspace(1) %1066, align 8, !llvm.access.group !7
  %1068 = insertelement <8 x double> poison, double %1067, i64 0
  br label %pred.load.continue310.3

pred.load.continue310.3:                          ; preds = %pred.load.if309.3, %pred.load.continue308.3
  %1069 = phi <8 x double> [ poison, %pred.load.continue308.3 ], [ %1068, %pred.load.if309.3 ]
  br i1 %959, label %pred.load.if311.3, label %pred.load.continue312.3

pred.load.if311.3:                                ; preds = %pred.load.continue310.3
  %1070 = getelementptr i8, ptr addrspace(1) %918, i64 24
  %1071 = extractelement <8 x i64> %1063, i64 1
  %1072 = getelementptr double, ptr addrspace(1) %1070, i64 %1071
  %1073 = load double, ptr addrspace(1) %1072, align 8, !llvm.access.group !7
  %1074 = insertelement <8 x double> %1069, double %1073, i64 1
  br label %pred.load.continue312.3

pred.load.continue312.3:                          ; preds = %pred.load.if311.3, %pred.load.continue310.3
  %1075 = phi <8 x double> [ %1069, %pred.load.continue310.3 ], [ %1074, %pred.load.if311.3 ]
  br i1 %966, label %pred.load.if313.3, label %pred.load.continue314.3

pred.load.if313.3:                                ; preds = %pred.load.continue312.3
  %1076 = getelementptr i8, ptr addrspace(1) %920, i64 24
  %1077 = extractelement <8 x i64> %1063, i64 2
  %1078 = getelementptr double, ptr addrspace(1) %1076, i64 %1077
  %1079 = load double, ptr addrspace(1) %1078, align 8, !llvm.access.group !7
  %1080 = insertelement <8 x double> %1075, double %1079, i64 2
  br label %pred.load.continue314.3

pred.load.continue314.3:                          ; preds = %pred.load.if313.3, %pred.load.continue312.3
  %1081 = phi <8 x double> [ %1075, %pred.load.continue312.3 ], [ %1080, %pred.load.if313.3 ]
  br i1 %973, label %pred.load.if315.3, label %pred.load.continue316.3

pred.load.if315.3:                                ; preds = %pred.load.continue314.3
  %1082 = getelementptr i8, ptr addrspace(1) %922, i64 24
  %1083 = extractelement <8 x i64> %1063, i64 3
  %1084 = getelementptr double, ptr addrspace(1) %1082, i64 %1083
  %1085 = load double, ptr addrspace(1) %1084, align 8, !llvm.access.group !7
  %1086 = insertelement <8 x double> %1081, double %1085, i64 3
  br label %pred.load.continue316.3

pred.load.continue316.3:                          ; preds = %pred.load.if315.3, %pred.load.continue314.3
  %1087 = phi <8 x double> [ %1081, %pred.load.continue314.3 ], [ %1086, %pred.load.if315.3 ]
  br i1 %980, label %pred.load.if317.3, label %pred.load.continue318.3

pred.load.if317.3:                                ; preds = %pred.load.continue316.3
  %1088 = getelementptr i8, ptr addrspace(1) %924, i64 24
  %1089 = extractelement <8 x i64> %1063, i64 4
  %1090 = getelementptr double, ptr addrspace(1) %1088, i64 %1089
  %1091 = load double, ptr addrspace(1) %1090, align 8, !llvm.access.group !7
  %1092 = insertelement <8 x double> %1087, double %1091, i64 4
  br label %pred.load.continue318.3

pred.load.continue318.3:                          ; preds = %pred.load.if317.3, %pred.load.continue316.3
  %1093 = phi <8 x double> [ %1087, %pred.load.continue316.3 ], [ %1092, %pred.load.if317.3 ]
  br i1 %987, label %pred.load.if319.3, label %pred.load.continue320.3

pred.load.if319.3:                                ; preds = %pred.load.continue318.3
  %1094 = getelementptr i8, ptr addrspace(1) %926, i64 24
  %1095 = extractelement <8 x i64> %1063, i64 5
  %1096 = getelementptr double, ptr addrspace(1) %1094, i64 %1095
  %1097 = load double, ptr addrspace(1) %1096, align 8, !llvm.access.group !7
  %1098 = insertelement <8 x double> %1093, double %1097, i64 5
  br label %pred.load.continue320.3

pred.load.continue320.3:                          ; preds = %pred.load.if319.3, %pred.load.continue318.3
  %1099 = phi <8 x double> [ %1093, %pred.load.continue318.3 ], [ %1098, %pred.load.if319.3 ]
  br i1 %994, label %pred.load.if321.3, label %pred.load.continue322.3

pred.load.if321.3:                                ; preds = %pred.load.continue320.3
  %1100 = getelementptr i8, ptr addrspace(1) %928, i64 24
  %1101 = extractelement <8 x i64> %1063, i64 6
  %1102 = getelementptr double, ptr addrspace(1) %1100, i64 %1101
  %1103 = load double, ptr addrspace(1) %1102, align 8, !llvm.access.group !7
  %1104 = insertelement <8 x double> %1099, double %1103, i64 6
  br label %pred.load.continue322.3

pred.load.continue322.3:                          ; preds = %pred.load.if321.3, %pred.load.continue320.3
  %1105 = phi <8 x double> [ %1099, %pred.load.continue320.3 ], [ %1104, %pred.load.if321.3 ]
  br i1 %1001, label %pred.load.if323.3, label %pred.load.continue324.3

pred.load.if323.3:                                ; preds = %pred.load.continue322.3
  %1106 = getelementptr i8, ptr addrspace(1) %930, i64 24
  %1107 = extractelement <8 x i64> %1063, i64 7
  %1108 = getelementptr double, ptr addrspace(1) %1106, i64 %1107
  %1109 = load double, ptr addrspace(1) %1108, align 8, !llvm.access.group !7
  %1110 = insertelement <8 x double> %1105, double %1109, i64 7
  br label %pred.load.continue324.3

pred.load.continue324.3:                          ; preds = %pred.load.if323.3, %pred.load.continue322.3
  %1111 = phi <8 x double> [ %1105, %pred.load.continue322.3 ], [ %1110, %pred.load.if323.3 ]
  %1112 = fadd <8 x double> %1060, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  tail call void @llvm.masked.store.v8f64.p1(<8 x double> %1112, ptr addrspace(1) %913, i32 8, <8 x i1> %949), !llvm.access.group !7
  %1113 = fadd <8 x double> %1061, %1111
  %1114 = icmp eq <8 x i64> %911, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  %1115 = xor <8 x i1> %1114, %949
  %1116 = icmp slt <8 x i64> %911, <i64 -4, i64 -4, i64 -4, i64 -4, i64 -4, i64 -4, i64 -4, i64 -4>
  %1117 = select <8 x i1> %1116, <8 x i64> %broadcast.splat276, <8 x i64> zeroinitializer
  %1118 = extractelement <8 x i1> %1115, i64 0
  br i1 %1118, label %pred.load.if325.3, label %pred.load.continue326.3

pred.load.if325.3:                                ; preds = %pred.load.continue324.3
  %1119 = getelementptr i8, ptr addrspace(1) %916, i64 32
  %1120 = extractelement <8 x i64> %1117, i64 0
  %1121 = getelementptr double, ptr addrspace(1) %1119, i64 %1120
  %1122 = load double, ptr addrspace(1) %1121, align 8, !llvm.access.group !7
  %1123 = insertelement <8 x double> poison, double %1122, i64 0
  br label %pred.load.continue326.3

pred.load.continue326.3:                          ; preds = %pred.load.if325.3, %pred.load.continue324.3
  %1124 = phi <8 x double> [ poison, %pred.load.continue324.3 ], [ %1123, %pred.load.if325.3 ]
  %1125 = extractelement <8 x i1> %1115, i64 1
  br i1 %1125, label %pred.load.if327.3, label %pred.load.continue328.3

pred.load.if327.3:                                ; preds = %pred.load.continue326.3
  %1126 = getelementptr i8, ptr addrspace(1) %918, i64 32
  %1127 = extractelement <8 x i64> %1117, i64 1
  %1128 = getelementptr double, ptr addrspace(1) %1126, i64 %1127
  %1129 = load double, ptr addrspace(1) %1128, align 8, !llvm.access.group !7
  %1130 = insertelement <8 x double> %1124, double %1129, i64 1
  br label %pred.load.continue328.3

pred.load.continue328.3:                          ; preds = %pred.load.if327.3, %pred.load.continue326.3
  %1131 = phi <8 x double> [ %1124, %pred.load.continue326.3 ], [ %1130, %pred.load.if327.3 ]
  %1132 = extractelement <8 x i1> %1115, i64 2
  br i1 %1132, label %pred.load.if329.3, label %pred.load.continue330.3

pred.load.if329.3:                                ; preds = %pred.load.continue328.3
  %1133 = getelementptr i8, ptr addrspace(1) %920, i64 32
  %1134 = extractelement <8 x i64> %1117, i64 2
  %1135 = getelementptr double, ptr addrspace(1) %1133, i64 %1134
  %1136 = load double, ptr addrspace(1) %1135, align 8, !llvm.access.group !7
  %1137 = insertelement <8 x double> %1131, double %1136, i64 2
  br label %pred.load.continue330.3

pred.load.continue330.3:                          ; preds = %pred.load.if329.3, %pred.load.continue328.3
  %1138 = phi <8 x double> [ %1131, %pred.load.continue328.3 ], [ %1137, %pred.load.if329.3 ]
  %1139 = extractelement <8 x i1> %1115, i64 3
  br i1 %1139, label %pred.load.if331.3, label %pred.load.continue332.3

pred.load.if331.3:                                ; preds = %pred.load.continue330.3
  %1140 = getelementptr i8, ptr addrspace(1) %922, i64 32
  %1141 = extractelement <8 x i64> %1117, i64 3
  %1142 = getelementptr double, ptr addrspace(1) %1140, i64 %1141
  %1143 = load double, ptr addrspace(1) %1142, align 8, !llvm.access.group !7
  %1144 = insertelement <8 x double> %1138, double %1143, i64 3
  br label %pred.load.continue332.3

pred.load.continue332.3:                          ; preds = %pred.load.if331.3, %pred.load.continue330.3
  %1145 = phi <8 x double> [ %1138, %pred.load.continue330.3 ], [ %1144, %pred.load.if331.3 ]
  %1146 = extractelement <8 x i1> %1115, i64 4
  br i1 %1146, label %pred.load.if333.3, label %pred.load.continue334.3

pred.load.if333.3:                                ; preds = %pred.load.continue332.3
  %1147 = getelementptr i8, ptr addrspace(1) %924, i64 32
  %1148 = extractelement <8 x i64> %1117, i64 4
  %1149 = getelementptr double, ptr addrspace(1) %1147, i64 %1148
  %1150 = load double, ptr addrspace(1) %1149, align 8, !llvm.access.group !7
  %1151 = insertelement <8 x double> %1145, double %1150, i64 4
  br label %pred.load.continue334.3

pred.load.continue334.3:                          ; preds = %pred.load.if333.3, %pred.load.continue332.3
  %1152 = phi <8 x double> [ %1145, %pred.load.continue332.3 ], [ %1151, %pred.load.if333.3 ]
  %1153 = extractelement <8 x i1> %1115, i64 5
  br i1 %1153, label %pred.load.if335.3, label %pred.load.continue336.3

pred.load.if335.3:                                ; preds = %pred.load.continue334.3
  %1154 = getelementptr i8, ptr addrspace(1) %926, i64 32
  %1155 = extractelement <8 x i64> %1117, i64 5
  %1156 = getelementptr double, ptr addrspace(1) %1154, i64 %1155
  %1157 = load double, ptr addrspace(1) %1156, align 8, !llvm.access.group !7
  %1158 = insertelement <8 x double> %1152, double %1157, i64 5
  br label %pred.load.continue336.3

pred.load.continue336.3:                          ; preds = %pred.load.if335.3, %pred.load.continue334.3
  %1159 = phi <8 x double> [ %1152, %pred.load.continue334.3 ], [ %1158, %pred.load.if335.3 ]
  %1160 = extractelement <8 x i1> %1115, i64 6
  br i1 %1160, label %pred.load.if337.3, label %pred.load.continue338.3

pred.load.if337.3:                                ; preds = %pred.load.continue336.3
  %1161 = getelementptr i8, ptr addrspace(1) %928, i64 32
  %1162 = extractelement <8 x i64> %1117, i64 6
  %1163 = getelementptr double, ptr addrspace(1) %1161, i64 %1162
  %1164 = load double, ptr addrspace(1) %1163, align 8, !llvm.access.group !7
  %1165 = insertelement <8 x double> %1159, double %1164, i64 6
  br label %pred.load.continue338.3

pred.load.continue338.3:                          ; preds = %pred.load.if337.3, %pred.load.continue336.3
  %1166 = phi <8 x double> [ %1159, %pred.load.continue336.3 ], [ %1165, %pred.load.if337.3 ]
  %1167 = extractelement <8 x i1> %1115, i64 7
  br i1 %1167, label %pred.load.if339.3, label %pred.load.continue340.3

pred.load.if339.3:                                ; preds = %pred.load.continue338.3
  %1168 = getelementptr i8, ptr addrspace(1) %930, i64 32
  %1169 = extractelement <8 x i64> %1117, i64 7
  %1170 = getelementptr double, ptr addrspace(1) %1168, i64 %1169
  %1171 = load double, ptr addrspace(1) %1170, align 8, !llvm.access.group !7
  %1172 = insertelement <8 x double> %1166, double %1171, i64 7
  br label %pred.load.continue340.3

pred.load.continue340.3:                          ; preds = %pred.load.if339.3, %pred.load.continue338.3
  %1173 = phi <8 x double> [ %1166, %pred.load.continue338.3 ], [ %1172, %pred.load.if339.3 ]
  %1174 = fadd <8 x double> %1112, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  tail call void @llvm.masked.store.v8f64.p1(<8 x double> %1174, ptr addrspace(1) %913, i32 8, <8 x i1> %1115), !llvm.access.group !7
  %1175 = fadd <8 x double> %1113, %1173
  %1176 = icmp sgt <8 x i64> %911, <i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6>
  %1177 = sub nsw <8 x i64> <i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12>, %911
  %1178 = getelementptr double, ptr addrspace(1) %.5, <8 x i64> %910
  %1179 = and <8 x i1> %1115, %1176
  %predphi341.3 = select <8 x i1> %949, <8 x ptr addrspace(1)> %1178, <8 x ptr addrspace(1)> undef
  %1180 = or <8 x i1> %1179, %1114
  %predphi343.3 = select <8 x i1> %1180, <8 x ptr addrspace(1)> undef, <8 x ptr addrspace(1)> %predphi341.3
  %not..3 = xor <8 x i1> %1179, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %narrow393.3 = select <8 x i1> %not..3, <8 x i1> %1115, <8 x i1> zeroinitializer
  %predphi349.3 = zext <8 x i1> %narrow393.3 to <8 x i8>
  %predphi350.3 = select <8 x i1> %949, <8 x double> %1175, <8 x double> %948
  %predphi351.3 = select <8 x i1> %1114, <8 x double> %1113, <8 x double> %predphi350.3
  %predphi353.3 = select <8 x i1> %949, <8 x double> %1175, <8 x double> undef
  %predphi355.3 = select <8 x i1> %1180, <8 x double> undef, <8 x double> %predphi353.3
  %.sroa.7483.24.vec.expand = shufflevector <8 x i8> %predphi349.3, <8 x i8> poison, <16 x i32> <i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %.sroa.7483.24.vecblend = shufflevector <16 x i8> %.sroa.7483.16.vec.expand, <16 x i8> %.sroa.7483.24.vec.expand, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %1181 = or <16 x i8> %.sroa.7483.24.vecblend, %.sroa.0479.8.vecblend
  %1182 = shufflevector <16 x i8> %1181, <16 x i8> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %1183 = shufflevector <16 x i8> %1181, <16 x i8> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %1184 = or <8 x i8> %1183, %1182
  %1185 = shufflevector <8 x i8> %1184, <8 x i8> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %1186 = shufflevector <8 x i8> %1184, <8 x i8> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %1187 = or <4 x i8> %1186, %1185
  %1188 = shufflevector <4 x i8> %1187, <4 x i8> poison, <2 x i32> <i32 2, i32 3>
  %1189 = shufflevector <4 x i8> %1187, <4 x i8> poison, <2 x i32> <i32 0, i32 1>
  %1190 = or <2 x i8> %1189, %1188
  %1191 = shufflevector <2 x i8> %1190, <2 x i8> poison, <1 x i32> <i32 1>
  %1192 = shufflevector <2 x i8> %1190, <2 x i8> poison, <1 x i32> zeroinitializer
  %1193 = or <1 x i8> %1192, %1191
  %1194 = extractelement <1 x i8> %1193, i64 0
  tail call void @llvm.sideeffect()
  %1195 = icmp eq i8 %1194, 0
  br i1 %1195, label %region159.i.us, label %region157.i.preheader.us

region157.i.us:                                   ; preds = %region157.i.preheader.us, %pred.store.continue259.3
  %.sroa.7423.0 = phi <8 x double> [ %predphi355.3, %region157.i.preheader.us ], [ %predphi263.3, %pred.store.continue259.3 ]
  %.sroa.6420.0 = phi <8 x double> [ %predphi355.2, %region157.i.preheader.us ], [ %predphi263.2, %pred.store.continue259.3 ]
  %.sroa.5417.0 = phi <8 x double> [ %predphi355.1, %region157.i.preheader.us ], [ %predphi263.1, %pred.store.continue259.3 ]
  %.sroa.0415.0 = phi <8 x double> [ %predphi355, %region157.i.preheader.us ], [ %predphi263, %pred.store.continue259.3 ]
  %.sroa.7412.0 = phi <8 x i8> [ %predphi349.3, %region157.i.preheader.us ], [ %predphi262.3, %pred.store.continue259.3 ]
  %.sroa.6409.0 = phi <8 x i8> [ %predphi349.2, %region157.i.preheader.us ], [ %predphi262.2, %pred.store.continue259.3 ]
  %.sroa.5406.0 = phi <8 x i8> [ %predphi349.1, %region157.i.preheader.us ], [ %predphi262.1, %pred.store.continue259.3 ]
  %.sroa.0404.0 = phi <8 x i8> [ %predphi349, %region157.i.preheader.us ], [ %predphi262, %pred.store.continue259.3 ]
  %.0.us = phi i64 [ 5, %region157.i.preheader.us ], [ %1196, %pred.store.continue259.3 ]
  %1196 = add nuw nsw i64 %.0.us, 1
  tail call void @llvm.sideeffect()
  %broadcast.splatinsert = insertelement <8 x i64> poison, i64 %.0.us, i64 0
  %broadcast.splat = shufflevector <8 x i64> %broadcast.splatinsert, <8 x i64> poison, <8 x i32> zeroinitializer
  %broadcast.splatinsert260 = insertelement <8 x i64> poison, i64 %1196, i64 0
  %broadcast.splat261 = shufflevector <8 x i64> %broadcast.splatinsert260, <8 x i64> poison, <8 x i32> zeroinitializer
  %1197 = icmp ne <8 x i8> %.sroa.0404.0, zeroinitializer
  %1198 = add nsw <8 x i64> %99, %broadcast.splat
  %1199 = icmp slt <8 x i64> %1198, zeroinitializer
  %1200 = select <8 x i1> %1199, <8 x i64> %broadcast.splat276, <8 x i64> zeroinitializer
  %1201 = extractelement <8 x i1> %1197, i64 0
  br i1 %1201, label %pred.load.if, label %pred.load.continue

pred.load.if:                                     ; preds = %region157.i.us
  %1202 = extractelement <8 x i64> %1198, i64 0
  %1203 = getelementptr double, ptr addrspace(1) %.3, i64 %1202
  %1204 = extractelement <8 x i64> %1200, i64 0
  %1205 = getelementptr double, ptr addrspace(1) %1203, i64 %1204
  %1206 = load double, ptr addrspace(1) %1205, align 8, !llvm.access.group !7
  %1207 = insertelement <8 x double> poison, double %1206, i64 0
  br label %pred.load.continue

pred.load.continue:                               ; preds = %pred.load.if, %region157.i.us
  %1208 = phi <8 x double> [ poison, %region157.i.us ], [ %1207, %pred.load.if ]
  %1209 = extractelement <8 x i1> %1197, i64 1
  br i1 %1209, label %pred.load.if232, label %pred.load.continue233

pred.load.if232:                                  ; preds = %pred.load.continue
  %1210 = extractelement <8 x i64> %1198, i64 1
  %1211 = getelementptr double, ptr addrspace(1) %.3, i64 %1210
  %1212 = extractelement <8 x i64> %1200, i64 1
  %1213 = getelementptr double, ptr addrspace(1) %1211, i64 %1212
  %1214 = load double, ptr addrspace(1) %1213, align 8, !llvm.access.group !7
  %1215 = insertelement <8 x double> %1208, double %1214, i64 1
  br label %pred.load.continue233

pred.load.continue233:                            ; preds = %pred.load.if232, %pred.load.continue
  %1216 = phi <8 x double> [ %1208, %pred.load.continue ], [ %1215, %pred.load.if232 ]
  %1217 = extractelement <8 x i1> %1197, i64 2
  br i1 %1217, label %pred.load.if234, label %pred.load.continue235

pred.load.if234:                                  ; preds = %pred.load.continue233
  %1218 = extractelement <8 x i64> %1198, i64 2
  %1219 = getelementptr double, ptr addrspace(1) %.3, i64 %1218
  %1220 = extractelement <8 x i64> %1200, i64 2
  %1221 = getelementptr double, ptr addrspace(1) %1219, i64 %1220
  %1222 = load double, ptr addrspace(1) %1221, align 8, !llvm.access.group !7
  %1223 = insertelement <8 x double> %1216, double %1222, i64 2
  br label %pred.load.continue235

pred.load.continue235:                            ; preds = %pred.load.if234, %pred.load.continue233
  %1224 = phi <8 x double> [ %1216, %pred.load.continue233 ], [ %1223, %pred.load.if234 ]
  %1225 = extractelement <8 x i1> %1197, i64 3
  br i1 %1225, label %pred.load.if236, label %pred.load.continue237

pred.load.if236:                                  ; preds = %pred.load.continue235
  %1226 = extractelement <8 x i64> %1198, i64 3
  %1227 = getelementptr double, ptr addrspace(1) %.3, i64 %1226
  %1228 = extractelement <8 x i64> %1200, i64 3
  %1229 = getelementptr double, ptr addrspace(1) %1227, i64 %1228
  %1230 = load double, ptr addrspace(1) %1229, align 8, !llvm.access.group !7
  %1231 = insertelement <8 x double> %1224, double %1230, i64 3
  br label %pred.load.continue237

pred.load.continue237:                            ; preds = %pred.load.if236, %pred.load.continue235
  %1232 = phi <8 x double> [ %1224, %pred.load.continue235 ], [ %1231, %pred.load.if236 ]
  %1233 = extractelement <8 x i1> %1197, i64 4
  br i1 %1233, label %pred.load.if238, label %pred.load.continue239

pred.load.if238:                                  ; preds = %pred.load.continue237
  %1234 = extractelement <8 x i64> %1198, i64 4
  %1235 = getelementptr double, ptr addrspace(1) %.3, i64 %1234
  %1236 = extractelement <8 x i64> %1200, i64 4
  %1237 = getelementptr double, ptr addrspace(1) %1235, i64 %1236
  %1238 = load double, ptr addrspace(1) %1237, align 8, !llvm.access.group !7
  %1239 = insertelement <8 x double> %1232, double %1238, i64 4
  br label %pred.load.continue239

pred.load.continue239:                            ; preds = %pred.load.if238, %pred.load.continue237
  %1240 = phi <8 x double> [ %1232, %pred.load.continue237 ], [ %1239, %pred.load.if238 ]
  %1241 = extractelement <8 x i1> %1197, i64 5
  br i1 %1241, label %pred.load.if240, label %pred.load.continue241

pred.load.if240:                                  ; preds = %pred.load.continue239
  %1242 = extractelement <8 x i64> %1198, i64 5
  %1243 = getelementptr double, ptr addrspace(1) %.3, i64 %1242
  %1244 = extractelement <8 x i64> %1200, i64 5
  %1245 = getelementptr double, ptr addrspace(1) %1243, i64 %1244
  %1246 = load double, ptr addrspace(1) %1245, align 8, !llvm.access.group !7
  %1247 = insertelement <8 x double> %1240, double %1246, i64 5
  br label %pred.load.continue241

pred.load.continue241:                            ; preds = %pred.load.if240, %pred.load.continue239
  %1248 = phi <8 x double> [ %1240, %pred.load.continue239 ], [ %1247, %pred.load.if240 ]
  %1249 = extractelement <8 x i1> %1197, i64 6
  br i1 %1249, label %pred.load.if242, label %pred.load.continue243

pred.load.if242:                                  ; preds = %pred.load.continue241
  %1250 = extractelement <8 x i64> %1198, i64 6
  %1251 = getelementptr double, ptr addrspace(1) %.3, i64 %1250
  %1252 = extractelement <8 x i64> %1200, i64 6
  %1253 = getelementptr double, ptr addrspace(1) %1251, i64 %1252
  %1254 = load double, ptr addrspace(1) %1253, align 8, !llvm.access.group !7
  %1255 = insertelement <8 x double> %1248, double %1254, i64 6
  br label %pred.load.continue243

pred.load.continue243:                            ; preds = %pred.load.if242, %pred.load.continue241
  %1256 = phi <8 x double> [ %1248, %pred.load.continue241 ], [ %1255, %pred.load.if242 ]
  %1257 = extractelement <8 x i1> %1197, i64 7
  br i1 %1257, label %pred.load.if244, label %pred.load.continue245

pred.load.if244:                                  ; preds = %pred.load.continue243
  %1258 = extractelement <8 x i64> %1198, i64 7
  %1259 = getelementptr double, ptr addrspace(1) %.3, i64 %1258
  %1260 = extractelement <8 x i64> %1200, i64 7
  %1261 = getelementptr double, ptr addrspace(1) %1259, i64 %1260
  %1262 = load double, ptr addrspace(1) %1261, align 8, !llvm.access.group !7
  %1263 = insertelement <8 x double> %1256, double %1262, i64 7
  br label %pred.load.continue245

pred.load.continue245:                            ; preds = %pred.load.if244, %pred.load.continue243
  %1264 = phi <8 x double> [ %1256, %pred.load.continue243 ], [ %1263, %pred.load.if244 ]
  %wide.masked.load = tail call <8 x double> @llvm.masked.load.v8f64.p1(ptr addrspace(1) %100, i32 8, <8 x i1> %1197, <8 x double> poison), !llvm.access.group !7
  %1265 = fadd <8 x double> %wide.masked.load, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  tail call void @llvm.masked.store.v8f64.p1(<8 x double> %1265, ptr addrspace(1) %100, i32 8, <8 x i1> %1197), !llvm.access.group !7
  %1266 = fcmp ogt <8 x double> %.sroa.0415.0, <double 3.000000e+01, double 3.000000e+01, double 3.000000e+01, double 3.000000e+01, double 3.000000e+01, double 3.000000e+01, double 3.000000e+01, double 3.000000e+01>
  %1267 = xor <8 x i1> %1266, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %1268 = select <8 x i1> %1197, <8 x i1> %1267, <8 x i1> zeroinitializer
  %1269 = fadd <8 x double> %.sroa.0415.0, %1264
  %1270 = select <8 x i1> %1197, <8 x i1> %1266, <8 x i1> zeroinitializer
  %1271 = fmul <8 x double> %1264, <double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00>
  %1272 = fadd <8 x double> %.sroa.0415.0, %1271
  %1273 = extractelement <8 x i1> %1270, i64 0
  br i1 %1273, label %pred.store.if, label %pred.store.continue

pred.store.if:                                    ; preds = %pred.load.continue245
  %1274 = extractelement <8 x double> %1272, i64 0
  store double %1274, ptr addrspace(1) %1601, align 8, !llvm.access.group !7
  br label %pred.store.continue

pred.store.continue:                              ; preds = %pred.store.if, %pred.load.continue245
  %1275 = extractelement <8 x i1> %1270, i64 1
  br i1 %1275, label %pred.store.if246, label %pred.store.continue247

pred.store.if246:                                 ; preds = %pred.store.continue
  %1276 = extractelement <8 x double> %1272, i64 1
  store double %1276, ptr addrspace(1) %1602, align 8, !llvm.access.group !7
  br label %pred.store.continue247

pred.store.continue247:                           ; preds = %pred.store.if246, %pred.store.continue
  %1277 = extractelement <8 x i1> %1270, i64 2
  br i1 %1277, label %pred.store.if248, label %pred.store.continue249

pred.store.if248:                                 ; preds = %pred.store.continue247
  %1278 = extractelement <8 x double> %1272, i64 2
  store double %1278, ptr addrspace(1) %1603, align 8, !llvm.access.group !7
  br label %pred.store.continue249

pred.store.continue249:                           ; preds = %pred.store.if248, %pred.store.continue247
  %1279 = extractelement <8 x i1> %1270, i64 3
  br i1 %1279, label %pred.store.if250, label %pred.store.continue251

pred.store.if250:                                 ; preds = %pred.store.continue249
  %1280 = extractelement <8 x double> %1272, i64 3
  store double %1280, ptr addrspace(1) %1604, align 8, !llvm.access.group !7
  br label %pred.store.continue251

pred.store.continue251:                           ; preds = %pred.store.if250, %pred.store.continue249
  %1281 = extractelement <8 x i1> %1270, i64 4
  br i1 %1281, label %pred.store.if252, label %pred.store.continue253

pred.store.if252:                                 ; preds = %pred.store.continue251
  %1282 = extractelement <8 x double> %1272, i64 4
  store double %1282, ptr addrspace(1) %1605, align 8, !llvm.access.group !7
  br label %pred.store.continue253

pred.store.continue253:                           ; preds = %pred.store.if252, %pred.store.continue251
  %1283 = extractelement <8 x i1> %1270, i64 5
  br i1 %1283, label %pred.store.if254, label %pred.store.continue255

pred.store.if254:                                 ; preds = %pred.store.continue253
  %1284 = extractelement <8 x double> %1272, i64 5
  store double %1284, ptr addrspace(1) %1606, align 8, !llvm.access.group !7
  br label %pred.store.continue255

pred.store.continue255:                           ; preds = %pred.store.if254, %pred.store.continue253
  %1285 = extractelement <8 x i1> %1270, i64 6
  br i1 %1285, label %pred.store.if256, label %pred.store.continue257

pred.store.if256:                                 ; preds = %pred.store.continue255
  %1286 = extractelement <8 x double> %1272, i64 6
  store double %1286, ptr addrspace(1) %1607, align 8, !llvm.access.group !7
  br label %pred.store.continue257

pred.store.continue257:                           ; preds = %pred.store.if256, %pred.store.continue255
  %1287 = extractelement <8 x i1> %1270, i64 7
  br i1 %1287, label %pred.store.if258, label %pred.store.continue259

pred.store.if258:                                 ; preds = %pred.store.continue257
  %1288 = extractelement <8 x double> %1272, i64 7
  store double %1288, ptr addrspace(1) %1608, align 8, !llvm.access.group !7
  br label %pred.store.continue259

pred.store.continue259:                           ; preds = %pred.store.if258, %pred.store.continue257
  %predphi = select <8 x i1> %1268, <8 x double> %1269, <8 x double> %1272
  %1289 = icmp sgt <8 x i64> %364, %broadcast.splat261
  %1290 = select <8 x i1> %1197, <8 x i1> %not.527, <8 x i1> zeroinitializer
  %1291 = select <8 x i1> %1290, <8 x i1> %136, <8 x i1> zeroinitializer
  %narrow394 = select <8 x i1> %1291, <8 x i1> %1289, <8 x i1> zeroinitializer
  %predphi262 = zext <8 x i1> %narrow394 to <8 x i8>
  %predphi263 = select <8 x i1> %1197, <8 x double> %predphi, <8 x double> %.sroa.0415.0
  %.sroa.0451.0.vec.expand = shufflevector <8 x i8> %predphi262, <8 x i8> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %1292 = icmp ne <8 x i8> %.sroa.5406.0, zeroinitializer
  %1293 = add nsw <8 x i64> %369, %broadcast.splat
  %1294 = icmp slt <8 x i64> %1293, zeroinitializer
  %1295 = select <8 x i1> %1294, <8 x i64> %broadcast.splat276, <8 x i64> zeroinitializer
  %1296 = extractelement <8 x i1> %1292, i64 0
  br i1 %1296, label %pred.load.if.1, label %pred.load.continue.1

pred.load.if.1:                                   ; preds = %pred.store.continue259
  %1297 = extractelement <8 x i64> %1293, i64 0
  %1298 = getelementptr double, ptr addrspace(1) %.3, i64 %1297
  %1299 = extractelement <8 x i64> %1295, i64 0
  %1300 = getelementptr double, ptr addrspace(1) %1298, i64 %1299
  %1301 = load double, ptr addrspace(1) %1300, align 8, !llvm.access.group !7
  %1302 = insertelement <8 x double> poison, double %1301, i64 0
  br label %pred.load.continue.1

pred.load.continue.1:                             ; preds = %pred.load.if.1, %pred.store.continue259
  %1303 = phi <8 x double> [ poison, %pred.store.continue259 ], [ %1302, %pred.load.if.1 ]
  %1304 = extractelement <8 x i1> %1292, i64 1
  br i1 %1304, label %pred.load.if232.1, label %pred.load.continue233.1

pred.load.if232.1:                                ; preds = %pred.load.continue.1
  %1305 = extractelement <8 x i64> %1293, i64 1
  %1306 = getelementptr double, ptr addrspace(1) %.3, i64 %1305
  %1307 = extractelement <8 x i64> %1295, i64 1
  %1308 = getelementptr double, ptr addrspace(1) %1306, i64 %1307
  %1309 = load double, ptr addrspace(1) %1308, align 8, !llvm.access.group !7
  %1310 = insertelement <8 x double> %1303, double %1309, i64 1
  br label %pred.load.continue233.1

pred.load.continue233.1:                          ; preds = %pred.load.if232.1, %pred.load.continue.1
  %1311 = phi <8 x double> [ %1303, %pred.load.continue.1 ], [ %1310, %pred.load.if232.1 ]
  %1312 = extractelement <8 x i1> %1292, i64 2
  br i1 %1312, label %pred.load.if234.1, label %pred.load.continue235.1

pred.load.if234.1:                                ; preds = %pred.load.continue233.1
  %1313 = extractelement <8 x i64> %1293, i64 2
  %1314 = getelementptr double, ptr addrspace(1) %.3, i64 %1313
  %1315 = extractelement <8 x i64> %1295, i64 2
  %1316 = getelementptr double, ptr addrspace(1) %1314, i64 %1315
  %1317 = load double, ptr addrspace(1) %1316, align 8, !llvm.access.group !7
  %1318 = insertelement <8 x double> %1311, double %1317, i64 2
  br label %pred.load.continue235.1

pred.load.continue235.1:                          ; preds = %pred.load.if234.1, %pred.load.continue233.1
  %1319 = phi <8 x double> [ %1311, %pred.load.continue233.1 ], [ %1318, %pred.load.if234.1 ]
  %1320 = extractelement <8 x i1> %1292, i64 3
  br i1 %1320, label %pred.load.if236.1, label %pred.load.continue237.1

pred.load.if236.1:                                ; preds = %pred.load.continue235.1
  %1321 = extractelement <8 x i64> %1293, i64 3
  %1322 = getelementptr double, ptr addrspace(1) %.3, i64 %1321
  %1323 = extractelement <8 x i64> %1295, i64 3
  %1324 = getelementptr double, ptr addrspace(1) %1322, i64 %1323
  %1325 = load double, ptr addrspace(1) %1324, align 8, !llvm.access.group !7
  %1326 = insertelement <8 x double> %1319, double %1325, i64 3
  br label %pred.load.continue237.1

pred.load.continue237.1:                          ; preds = %pred.load.if236.1, %pred.load.continue235.1
  %1327 = phi <8 x double> [ %1319, %pred.load.continue235.1 ], [ %1326, %pred.load.if236.1 ]
  %1328 = extractelement <8 x i1> %1292, i64 4
  br i1 %1328, label %pred.load.if238.1, label %pred.load.continue239.1

pred.load.if238.1:                                ; preds = %pred.load.continue237.1
  %1329 = extractelement <8 x i64> %1293, i64 4
  %1330 = getelementptr double, ptr addrspace(1) %.3, i64 %1329
  %1331 = extractelement <8 x i64> %1295, i64 4
  %1332 = getelementptr double, ptr addrspace(1) %1330, i64 %1331
  %1333 = load double, ptr addrspace(1) %1332, align 8, !llvm.access.group !7
  %1334 = insertelement <8 x double> %1327, double %1333, i64 4
  br label %pred.load.continue239.1

pred.load.continue239.1:                          ; preds = %pred.load.if238.1, %pred.load.continue237.1
  %1335 = phi <8 x double> [ %1327, %pred.load.continue237.1 ], [ %1334, %pred.load.if238.1 ]
  %1336 = extractelement <8 x i1> %1292, i64 5
  br i1 %1336, label %pred.load.if240.1, label %pred.load.continue241.1

pred.load.if240.1:                                ; preds = %pred.load.continue239.1
  %1337 = extractelement <8 x i64> %1293, i64 5
  %1338 = getelementptr double, ptr addrspace(1) %.3, i64 %1337
  %1339 = extractelement <8 x i64> %1295, i64 5
  %1340 = getelementptr double, ptr addrspace(1) %1338, i64 %1339
  %1341 = load double, ptr addrspace(1) %1340, align 8, !llvm.access.group !7
  %1342 = insertelement <8 x double> %1335, double %1341, i64 5
  br label %pred.load.continue241.1

pred.load.continue241.1:                          ; preds = %pred.load.if240.1, %pred.load.continue239.1
  %1343 = phi <8 x double> [ %1335, %pred.load.continue239.1 ], [ %1342, %pred.load.if240.1 ]
  %1344 = extractelement <8 x i1> %1292, i64 6
  br i1 %1344, label %pred.load.if242.1, label %pred.load.continue243.1

pred.load.if242.1:                                ; preds = %pred.load.continue241.1
  %1345 = extractelement <8 x i64> %1293, i64 6
  %1346 = getelementptr double, ptr addrspace(1) %.3, i64 %1345
  %1347 = extractelement <8 x i64> %1295, i64 6
  %1348 = getelementptr double, ptr addrspace(1) %1346, i64 %1347
  %1349 = load double, ptr addrspace(1) %1348, align 8, !llvm.access.group !7
  %1350 = insertelement <8 x double> %1343, double %1349, i64 6
  br label %pred.load.continue243.1

pred.load.continue243.1:                          ; preds = %pred.load.if242.1, %pred.load.continue241.1
  %1351 = phi <8 x double> [ %1343, %pred.load.continue241.1 ], [ %1350, %pred.load.if242.1 ]
  %1352 = extractelement <8 x i1> %1292, i64 7
  br i1 %1352, label %pred.load.if244.1, label %pred.load.continue245.1

pred.load.if244.1:                                ; preds = %pred.load.continue243.1
  %1353 = extractelement <8 x i64> %1293, i64 7
  %1354 = getelementptr double, ptr addrspace(1) %.3, i64 %1353
  %1355 = extractelement <8 x i64> %1295, i64 7
  %1356 = getelementptr double, ptr addrspace(1) %1354, i64 %1355
  %1357 = load double, ptr addrspace(1) %1356, align 8, !llvm.access.group !7
  %1358 = insertelement <8 x double> %1351, double %1357, i64 7
  br label %pred.load.continue245.1

pred.load.continue245.1:                          ; preds = %pred.load.if244.1, %pred.load.continue243.1
  %1359 = phi <8 x double> [ %1351, %pred.load.continue243.1 ], [ %1358, %pred.load.if244.1 ]
  %wide.masked.load.1 = tail call <8 x double> @llvm.masked.load.v8f64.p1(ptr addrspace(1) %1609, i32 8, <8 x i1> %1292, <8 x double> poison), !llvm.access.group !7
  %1360 = fadd <8 x double> %wide.masked.load.1, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  tail call void @llvm.masked.store.v8f64.p1(<8 x double> %1360, ptr addrspace(1) %1609, i32 8, <8 x i1> %1292), !llvm.access.group !7
  %1361 = fcmp ogt <8 x double> %.sroa.5417.0, <double 3.000000e+01, double 3.000000e+01, double 3.000000e+01, double 3.000000e+01, double 3.000000e+01, double 3.000000e+01, double 3.000000e+01, double 3.000000e+01>
  %1362 = xor <8 x i1> %1361, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %1363 = select <8 x i1> %1292, <8 x i1> %1362, <8 x i1> zeroinitializer
  %1364 = fadd <8 x double> %.sroa.5417.0, %1359
  %1365 = select <8 x i1> %1292, <8 x i1> %1361, <8 x i1> zeroinitializer
  %1366 = fmul <8 x double> %1359, <double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00>
  %1367 = fadd <8 x double> %.sroa.5417.0, %1366
  %1368 = extractelement <8 x i1> %1365, i64 0
  br i1 %1368, label %pred.store.if.1, label %pred.store.continue.1

pred.store.if.1:                                  ; preds = %pred.load.continue245.1
  %1369 = extractelement <8 x double> %1367, i64 0
  store double %1369, ptr addrspace(1) %1610, align 8, !llvm.access.group !7
  br label %pred.store.continue.1

pred.store.continue.1:                            ; preds = %pred.store.if.1, %pred.load.continue245.1
  %1370 = extractelement <8 x i1> %1365, i64 1
  br i1 %1370, label %pred.store.if246.1, label %pred.store.continue247.1

pred.store.if246.1:                               ; preds = %pred.store.continue.1
  %1371 = extractelement <8 x double> %1367, i64 1
  store double %1371, ptr addrspace(1) %1611, align 8, !llvm.access.group !7
  br label %pred.store.continue247.1

pred.store.continue247.1:                         ; preds = %pred.store.if246.1, %pred.store.continue.1
  %1372 = extractelement <8 x i1> %1365, i64 2
  br i1 %1372, label %pred.store.if248.1, label %pred.store.continue249.1

pred.store.if248.1:                               ; preds = %pred.store.continue247.1
  %1373 = extractelement <8 x double> %1367, i64 2
  store double %1373, ptr addrspace(1) %1612, align 8, !llvm.access.group !7
  br label %pred.store.continue249.1

pred.store.continue249.1:                         ; preds = %pred.store.if248.1, %pred.store.continue247.1
  %1374 = extractelement <8 x i1> %1365, i64 3
  br i1 %1374, label %pred.store.if250.1, label %pred.store.continue251.1

pred.store.if250.1:                               ; preds = %pred.store.continue249.1
  %1375 = extractelement <8 x double> %1367, i64 3
  store double %1375, ptr addrspace(1) %1613, align 8, !llvm.access.group !7
  br label %pred.store.continue251.1

pred.store.continue251.1:                         ; preds = %pred.store.if250.1, %pred.store.continue249.1
  %1376 = extractelement <8 x i1> %1365, i64 4
  br i1 %1376, label %pred.store.if252.1, label %pred.store.continue253.1

pred.store.if252.1:                               ; preds = %pred.store.continue251.1
  %1377 = extractelement <8 x double> %1367, i64 4
  store double %1377, ptr addrspace(1) %1614, align 8, !llvm.access.group !7
  br label %pred.store.continue253.1

pred.store.continue253.1:                         ; preds = %pred.store.if252.1, %pred.store.continue251.1
  %1378 = extractelement <8 x i1> %1365, i64 5
  br i1 %1378, label %pred.store.if254.1, label %pred.store.continue255.1

pred.store.if254.1:                               ; preds = %pred.store.continue253.1
  %1379 = extractelement <8 x double> %1367, i64 5
  store double %1379, ptr addrspace(1) %1615, align 8, !llvm.access.group !7
  br label %pred.store.continue255.1

pred.store.continue255.1:                         ; preds = %pred.store.if254.1, %pred.store.continue253.1
  %1380 = extractelement <8 x i1> %1365, i64 6
  br i1 %1380, label %pred.store.if256.1, label %pred.store.continue257.1

pred.store.if256.1:                               ; preds = %pred.store.continue255.1
  %1381 = extractelement <8 x double> %1367, i64 6
  store double %1381, ptr addrspace(1) %1616, align 8, !llvm.access.group !7
  br label %pred.store.continue257.1

pred.store.continue257.1:                         ; preds = %pred.store.if256.1, %pred.store.continue255.1
  %1382 = extractelement <8 x i1> %1365, i64 7
  br i1 %1382, label %pred.store.if258.1, label %pred.store.continue259.1

pred.store.if258.1:                               ; preds = %pred.store.continue257.1
  %1383 = extractelement <8 x double> %1367, i64 7
  store double %1383, ptr addrspace(1) %1617, align 8, !llvm.access.group !7
  br label %pred.store.continue259.1

pred.store.continue259.1:                         ; preds = %pred.store.if258.1, %pred.store.continue257.1
  %predphi.1 = select <8 x i1> %1363, <8 x double> %1364, <8 x double> %1367
  %1384 = icmp sgt <8 x i64> %635, %broadcast.splat261
  %1385 = select <8 x i1> %1292, <8 x i1> %not.528, <8 x i1> zeroinitializer
  %1386 = select <8 x i1> %1385, <8 x i1> %407, <8 x i1> zeroinitializer
  %narrow394.1 = select <8 x i1> %1386, <8 x i1> %1384, <8 x i1> zeroinitializer
  %predphi262.1 = zext <8 x i1> %narrow394.1 to <8 x i8>
  %predphi263.1 = select <8 x i1> %1292, <8 x double> %predphi.1, <8 x double> %.sroa.5417.0
  %.sroa.0451.8.vec.expand = shufflevector <8 x i8> %predphi262.1, <8 x i8> poison, <16 x i32> <i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %.sroa.0451.8.vecblend = shufflevector <16 x i8> %.sroa.0451.0.vec.expand, <16 x i8> %.sroa.0451.8.vec.expand, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %1387 = icmp ne <8 x i8> %.sroa.6409.0, zeroinitializer
  %1388 = add nsw <8 x i64> %640, %broadcast.splat
  %1389 = icmp slt <8 x i64> %1388, zeroinitializer
  %1390 = select <8 x i1> %1389, <8 x i64> %broadcast.splat276, <8 x i64> zeroinitializer
  %1391 = extractelement <8 x i1> %1387, i64 0
  br i1 %1391, label %pred.load.if.2, label %pred.load.continue.2

pred.load.if.2:                                   ; preds = %pred.store.continue259.1
  %1392 = extractelement <8 x i64> %1388, i64 0
  %1393 = getelementptr double, ptr addrspace(1) %.3, i64 %1392
  %1394 = extractelement <8 x i64> %1390, i64 0
  %1395 = getelementptr double, ptr addrspace(1) %1393, i64 %1394
  %1396 = load double, ptr addrspace(1) %1395, align 8, !llvm.access.group !7
  %1397 = insertelement <8 x double> poison, double %1396, i64 0
  br label %pred.load.continue.2

pred.load.continue.2:                             ; preds = %pred.load.if.2, %pred.store.continue259.1
  %1398 = phi <8 x double> [ poison, %pred.store.continue259.1 ], [ %1397, %pred.load.if.2 ]
  %1399 = extractelement <8 x i1> %1387, i64 1
  br i1 %1399, label %pred.load.if232.2, label %pred.load.continue233.2

pred.load.if232.2:                                ; preds = %pred.load.continue.2
  %1400 = extractelement <8 x i64> %1388, i64 1
  %1401 = getelementptr double, ptr addrspace(1) %.3, i64 %1400
  %1402 = extractelement <8 x i64> %1390, i64 1
  %1403 = getelementptr double, ptr addrspace(1) %1401, i64 %1402
  %1404 = load double, ptr addrspace(1) %1403, align 8, !llvm.access.group !7
  %1405 = insertelement <8 x double> %1398, double %1404, i64 1
  br label %pred.load.continue233.2

pred.load.continue233.2:                          ; preds = %pred.load.if232.2, %pred.load.continue.2
  %1406 = phi <8 x double> [ %1398, %pred.load.continue.2 ], [ %1405, %pred.load.if232.2 ]
  %1407 = extractelement <8 x i1> %1387, i64 2
  br i1 %1407, label %pred.load.if234.2, label %pred.load.continue235.2

pred.load.if234.2:                                ; preds = %pred.load.continue233.2
  %1408 = extractelement <8 x i64> %1388, i64 2
  %1409 = getelementptr double, ptr addrspace(1) %.3, i64 %1408
  %1410 = extractelement <8 x i64> %1390, i64 2
  %1411 = getelementptr double, ptr addrspace(1) %1409, i64 %1410
  %1412 = load double, ptr addrspace(1) %1411, align 8, !llvm.access.group !7
  %1413 = insertelement <8 x double> %1406, double %1412, i64 2
  br label %pred.load.continue235.2

pred.load.continue235.2:                          ; preds = %pred.load.if234.2, %pred.load.continue233.2
  %1414 = phi <8 x double> [ %1406, %pred.load.continue233.2 ], [ %1413, %pred.load.if234.2 ]
  %1415 = extractelement <8 x i1> %1387, i64 3
  br i1 %1415, label %pred.load.if236.2, label %pred.load.continue237.2

pred.load.if236.2:                                ; preds = %pred.load.continue235.2
  %1416 = extractelement <8 x i64> %1388, i64 3
  %1417 = getelementptr double, ptr addrspace(1) %.3, i64 %1416
  %1418 = extractelement <8 x i64> %1390, i64 3
  %1419 = getelementptr double, ptr addrspace(1) %1417, i64 %1418
  %1420 = load double, ptr addrspace(1) %1419, align 8, !llvm.access.group !7
  %1421 = insertelement <8 x double> %1414, double %1420, i64 3
  br label %pred.load.continue237.2

pred.load.continue237.2:                          ; preds = %pred.load.if236.2, %pred.load.continue235.2
  %1422 = phi <8 x double> [ %1414, %pred.load.continue235.2 ], [ %1421, %pred.load.if236.2 ]
  %1423 = extractelement <8 x i1> %1387, i64 4
  br i1 %1423, label %pred.load.if238.2, label %pred.load.continue239.2

pred.load.if238.2:                                ; preds = %pred.load.continue237.2
  %1424 = extractelement <8 x i64> %1388, i64 4
  %1425 = getelementptr double, ptr addrspace(1) %.3, i64 %1424
  %1426 = extractelement <8 x i64> %1390, i64 4
  %1427 = getelementptr double, ptr addrspace(1) %1425, i64 %1426
  %1428 = load double, ptr addrspace(1) %1427, align 8, !llvm.access.group !7
  %1429 = insertelement <8 x double> %1422, double %1428, i64 4
  br label %pred.load.continue239.2

pred.load.continue239.2:                          ; preds = %pred.load.if238.2, %pred.load.continue237.2
  %1430 = phi <8 x double> [ %1422, %pred.load.continue237.2 ], [ %1429, %pred.load.if238.2 ]
  %1431 = extractelement <8 x i1> %1387, i64 5
  br i1 %1431, label %pred.load.if240.2, label %pred.load.continue241.2

pred.load.if240.2:                                ; preds = %pred.load.continue239.2
  %1432 = extractelement <8 x i64> %1388, i64 5
  %1433 = getelementptr double, ptr addrspace(1) %.3, i64 %1432
  %1434 = extractelement <8 x i64> %1390, i64 5
  %1435 = getelementptr double, ptr addrspace(1) %1433, i64 %1434
  %1436 = load double, ptr addrspace(1) %1435, align 8, !llvm.access.group !7
  %1437 = insertelement <8 x double> %1430, double %1436, i64 5
  br label %pred.load.continue241.2

pred.load.continue241.2:                          ; preds = %pred.load.if240.2, %pred.load.continue239.2
  %1438 = phi <8 x double> [ %1430, %pred.load.continue239.2 ], [ %1437, %pred.load.if240.2 ]
  %1439 = extractelement <8 x i1> %1387, i64 6
  br i1 %1439, label %pred.load.if242.2, label %pred.load.continue243.2

pred.load.if242.2:                                ; preds = %pred.load.continue241.2
  %1440 = extractelement <8 x i64> %1388, i64 6
  %1441 = getelementptr double, ptr addrspace(1) %.3, i64 %1440
  %1442 = extractelement <8 x i64> %1390, i64 6
  %1443 = getelementptr double, ptr addrspace(1) %1441, i64 %1442
  %1444 = load double, ptr addrspace(1) %1443, align 8, !llvm.access.group !7
  %1445 = insertelement <8 x double> %1438, double %1444, i64 6
  br label %pred.load.continue243.2

pred.load.continue243.2:                          ; preds = %pred.load.if242.2, %pred.load.continue241.2
  %1446 = phi <8 x double> [ %1438, %pred.load.continue241.2 ], [ %1445, %pred.load.if242.2 ]
  %1447 = extractelement <8 x i1> %1387, i64 7
  br i1 %1447, label %pred.load.if244.2, label %pred.load.continue245.2

pred.load.if244.2:                                ; preds = %pred.load.continue243.2
  %1448 = extractelement <8 x i64> %1388, i64 7
  %1449 = getelementptr double, ptr addrspace(1) %.3, i64 %1448
  %1450 = extractelement <8 x i64> %1390, i64 7
  %1451 = getelementptr double, ptr addrspace(1) %1449, i64 %1450
  %1452 = load double, ptr addrspace(1) %1451, align 8, !llvm.access.group !7
  %1453 = insertelement <8 x double> %1446, double %1452, i64 7
  br label %pred.load.continue245.2

pred.load.continue245.2:                          ; preds = %pred.load.if244.2, %pred.load.continue243.2
  %1454 = phi <8 x double> [ %1446, %pred.load.continue243.2 ], [ %1453, %pred.load.if244.2 ]
  %wide.masked.load.2 = tail call <8 x double> @llvm.masked.load.v8f64.p1(ptr addrspace(1) %1618, i32 8, <8 x i1> %1387, <8 x double> poison), !llvm.access.group !7
  %1455 = fadd <8 x double> %wide.masked.load.2, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  tail call void @llvm.masked.store.v8f64.p1(<8 x double> %1455, ptr addrspace(1) %1618, i32 8, <8 x i1> %1387), !llvm.access.group !7
  %1456 = fcmp ogt <8 x double> %.sroa.6420.0, <double 3.000000e+01, double 3.000000e+01, double 3.000000e+01, double 3.000000e+01, double 3.000000e+01, double 3.000000e+01, double 3.000000e+01, double 3.000000e+01>
  %1457 = xor <8 x i1> %1456, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %1458 = select <8 x i1> %1387, <8 x i1> %1457, <8 x i1> zeroinitializer
  %1459 = fadd <8 x double> %.sroa.6420.0, %1454
  %1460 = select <8 x i1> %1387, <8 x i1> %1456, <8 x i1> zeroinitializer
  %1461 = fmul <8 x double> %1454, <double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00>
  %1462 = fadd <8 x double> %.sroa.6420.0, %1461
  %1463 = extractelement <8 x i1> %1460, i64 0
  br i1 %1463, label %pred.store.if.2, label %pred.store.continue.2

pred.store.if.2:                                  ; preds = %pred.load.continue245.2
  %1464 = extractelement <8 x double> %1462, i64 0
  store double %1464, ptr addrspace(1) %1619, align 8, !llvm.access.group !7
  br label %pred.store.continue.2

pred.store.continue.2:                            ; preds = %pred.store.if.2, %pred.load.continue245.2
  %1465 = extractelement <8 x i1> %1460, i64 1
  br i1 %1465, label %pred.store.if246.2, label %pred.store.continue247.2

pred.store.if246.2:                               ; preds = %pred.store.continue.2
  %1466 = extractelement <8 x double> %1462, i64 1
  store double %1466, ptr addrspace(1) %1620, align 8, !llvm.access.group !7
  br label %pred.store.continue247.2

pred.store.continue247.2:                         ; preds = %pred.store.if246.2, %pred.store.continue.2
  %1467 = extractelement <8 x i1> %1460, i64 2
  br i1 %1467, label %pred.store.if248.2, label %pred.store.continue249.2

pred.store.if248.2:                               ; preds = %pred.store.continue247.2
  %1468 = extractelement <8 x double> %1462, i64 2
  store double %1468, ptr addrspace(1) %1621, align 8, !llvm.access.group !7
  br label %pred.store.continue249.2

pred.store.continue249.2:                         ; preds = %pred.store.if248.2, %pred.store.continue247.2
  %1469 = extractelement <8 x i1> %1460, i64 3
  br i1 %1469, label %pred.store.if250.2, label %pred.store.continue251.2

pred.store.if250.2:                               ; preds = %pred.store.continue249.2
  %1470 = extractelement <8 x double> %1462, i64 3
  store double %1470, ptr addrspace(1) %1622, align 8, !llvm.access.group !7
  br label %pred.store.continue251.2

pred.store.continue251.2:                         ; preds = %pred.store.if250.2, %pred.store.continue249.2
  %1471 = extractelement <8 x i1> %1460, i64 4
  br i1 %1471, label %pred.store.if252.2, label %pred.store.continue253.2

pred.store.if252.2:                               ; preds = %pred.store.continue251.2
  %1472 = extractelement <8 x double> %1462, i64 4
  store double %1472, ptr addrspace(1) %1623, align 8, !llvm.access.group !7
  br label %pred.store.continue253.2

pred.store.continue253.2:                         ; preds = %pred.store.if252.2, %pred.store.continue251.2
  %1473 = extractelement <8 x i1> %1460, i64 5
  br i1 %1473, label %pred.store.if254.2, label %pred.store.continue255.2

pred.store.if254.2:                               ; preds = %pred.store.continue253.2
  %1474 = extractelement <8 x double> %1462, i64 5
  store double %1474, ptr addrspace(1) %1624, align 8, !llvm.access.group !7
  br label %pred.store.continue255.2

pred.store.continue255.2:                         ; preds = %pred.store.if254.2, %pred.store.continue253.2
  %1475 = extractelement <8 x i1> %1460, i64 6
  br i1 %1475, label %pred.store.if256.2, label %pred.store.continue257.2

pred.store.if256.2:                               ; preds = %pred.store.continue255.2
  %1476 = extractelement <8 x double> %1462, i64 6
  store double %1476, ptr addrspace(1) %1625, align 8, !llvm.access.group !7
  br label %pred.store.continue257.2

pred.store.continue257.2:                         ; preds = %pred.store.if256.2, %pred.store.continue255.2
  %1477 = extractelement <8 x i1> %1460, i64 7
  br i1 %1477, label %pred.store.if258.2, label %pred.store.continue259.2

pred.store.if258.2:                               ; preds = %pred.store.continue257.2
  %1478 = extractelement <8 x double> %1462, i64 7
  store double %1478, ptr addrspace(1) %1626, align 8, !llvm.access.group !7
  br label %pred.store.continue259.2

pred.store.continue259.2:                         ; preds = %pred.store.if258.2, %pred.store.continue257.2
  %predphi.2 = select <8 x i1> %1458, <8 x double> %1459, <8 x double> %1462
  %1479 = icmp sgt <8 x i64> %906, %broadcast.splat261
  %1480 = select <8 x i1> %1387, <8 x i1> %not.529, <8 x i1> zeroinitializer
  %1481 = select <8 x i1> %1480, <8 x i1> %678, <8 x i1> zeroinitializer
  %narrow394.2 = select <8 x i1> %1481, <8 x i1> %1479, <8 x i1> zeroinitializer
  %predphi262.2 = zext <8 x i1> %narrow394.2 to <8 x i8>
  %predphi263.2 = select <8 x i1> %1387, <8 x double> %predphi.2, <8 x double> %.sroa.6420.0
  %.sroa.7455.16.vec.expand = shufflevector <8 x i8> %predphi262.2, <8 x i8> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %1482 = icmp ne <8 x i8> %.sroa.7412.0, zeroinitializer
  %1483 = add nsw <8 x i64> %911, %broadcast.splat
  %1484 = icmp slt <8 x i64> %1483, zeroinitializer
  %1485 = select <8 x i1> %1484, <8 x i64> %broadcast.splat276, <8 x i64> zeroinitializer
  %1486 = extractelement <8 x i1> %1482, i64 0
  br i1 %1486, label %pred.load.if.3, label %pred.load.continue.3

pred.load.if.3:                                   ; preds = %pred.store.continue259.2
  %1487 = extractelement <8 x i64> %1483, i64 0
  %1488 = getelementptr double, ptr addrspace(1) %.3, i64 %1487
  %1489 = extractelement <8 x i64> %1485, i64 0
  %1490 = getelementptr double, ptr addrspace(1) %1488, i64 %1489
  %1491 = load double, ptr addrspace(1) %1490, align 8, !llvm.access.group !7
  %1492 = insertelement <8 x double> poison, double %1491, i64 0
  br label %pred.load.continue.3

pred.load.continue.3:                             ; preds = %pred.load.if.3, %pred.store.continue259.2
  %1493 = phi <8 x double> [ poison, %pred.store.continue259.2 ], [ %1492, %pred.load.if.3 ]
  %1494 = extractelement <8 x i1> %1482, i64 1
  br i1 %1494, label %pred.load.if232.3, label %pred.load.continue233.3

pred.load.if232.3:                                ; preds = %pred.load.continue.3
  %1495 = extractelement <8 x i64> %1483, i64 1
  %1496 = getelementptr double, ptr addrspace(1) %.3, i64 %1495
  %1497 = extractelement <8 x i64> %1485, i64 1
  %1498 = getelementptr double, ptr addrspace(1) %1496, i64 %1497
  %1499 = load double, ptr addrspace(1) %1498, align 8, !llvm.access.group !7
  %1500 = insertelement <8 x double> %1493, double %1499, i64 1
  br label %pred.load.continue233.3

pred.load.continue233.3:                          ; preds = %pred.load.if232.3, %pred.load.continue.3
  %1501 = phi <8 x double> [ %1493, %pred.load.continue.3 ], [ %1500, %pred.load.if232.3 ]
  %1502 = extractelement <8 x i1> %1482, i64 2
  br i1 %1502, label %pred.load.if234.3, label %pred.load.continue235.3

pred.load.if234.3:                                ; preds = %pred.load.continue233.3
  %1503 = extractelement <8 x i64> %1483, i64 2
  %1504 = getelementptr double, ptr addrspace(1) %.3, i64 %1503
  %1505 = extractelement <8 x i64> %1485, i64 2
  %1506 = getelementptr double, ptr addrspace(1) %1504, i64 %1505
  %1507 = load double, ptr addrspace(1) %1506, align 8, !llvm.access.group !7
  %1508 = insertelement <8 x double> %1501, double %1507, i64 2
  br label %pred.load.continue235.3

pred.load.continue235.3:                          ; preds = %pred.load.if234.3, %pred.load.continue233.3
  %1509 = phi <8 x double> [ %1501, %pred.load.continue233.3 ], [ %1508, %pred.load.if234.3 ]
  %1510 = extractelement <8 x i1> %1482, i64 3
  br i1 %1510, label %pred.load.if236.3, label %pred.load.continue237.3

pred.load.if236.3:                                ; preds = %pred.load.continue235.3
  %1511 = extractelement <8 x i64> %1483, i64 3
  %1512 = getelementptr double, ptr addrspace(1) %.3, i64 %1511
  %1513 = extractelement <8 x i64> %1485, i64 3
  %1514 = getelementptr double, ptr addrspace(1) %1512, i64 %1513
  %1515 = load double, ptr addrspace(1) %1514, align 8, !llvm.access.group !7
  %1516 = insertelement <8 x double> %1509, double %1515, i64 3
  br label %pred.load.continue237.3

pred.load.continue237.3:                          ; preds = %pred.load.if236.3, %pred.load.continue235.3
  %1517 = phi <8 x double> [ %1509, %pred.load.continue235.3 ], [ %1516, %pred.load.if236.3 ]
  %1518 = extractelement <8 x i1> %1482, i64 4
  br i1 %1518, label %pred.load.if238.3, label %pred.load.continue239.3

pred.load.if238.3:                                ; preds = %pred.load.continue237.3
  %1519 = extractelement <8 x i64> %1483, i64 4
  %1520 = getelementptr double, ptr addrspace(1) %.3, i64 %1519
  %1521 = extractelement <8 x i64> %1485, i64 4
  %1522 = getelementptr double, ptr addrspace(1) %1520, i64 %1521
  %1523 = load double, ptr addrspace(1) %1522, align 8, !llvm.access.group !7
  %1524 = insertelement <8 x double> %1517, double %1523, i64 4
  br label %pred.load.continue239.3

pred.load.continue239.3:                          ; preds = %pred.load.if238.3, %pred.load.continue237.3
  %1525 = phi <8 x double> [ %1517, %pred.load.continue237.3 ], [ %1524, %pred.load.if238.3 ]
  %1526 = extractelement <8 x i1> %1482, i64 5
  br i1 %1526, label %pred.load.if240.3, label %pred.load.continue241.3

pred.load.if240.3:                                ; preds = %pred.load.continue239.3
  %1527 = extractelement <8 x i64> %1483, i64 5
  %1528 = getelementptr double, ptr addrspace(1) %.3, i64 %1527
  %1529 = extractelement <8 x i64> %1485, i64 5
  %1530 = getelementptr double, ptr addrspace(1) %1528, i64 %1529
  %1531 = load double, ptr addrspace(1) %1530, align 8, !llvm.access.group !7
  %1532 = insertelement <8 x double> %1525, double %1531, i64 5
  br label %pred.load.continue241.3

pred.load.continue241.3:                          ; preds = %pred.load.if240.3, %pred.load.continue239.3
  %1533 = phi <8 x double> [ %1525, %pred.load.continue239.3 ], [ %1532, %pred.load.if240.3 ]
  %1534 = extractelement <8 x i1> %1482, i64 6
  br i1 %1534, label %pred.load.if242.3, label %pred.load.continue243.3

pred.load.if242.3:                                ; preds = %pred.load.continue241.3
  %1535 = extractelement <8 x i64> %1483, i64 6
  %1536 = getelementptr double, ptr addrspace(1) %.3, i64 %1535
  %1537 = extractelement <8 x i64> %1485, i64 6
  %1538 = getelementptr double, ptr addrspace(1) %1536, i64 %1537
  %1539 = load double, ptr addrspace(1) %1538, align 8, !llvm.access.group !7
  %1540 = insertelement <8 x double> %1533, double %1539, i64 6
  br label %pred.load.continue243.3

pred.load.continue243.3:                          ; preds = %pred.load.if242.3, %pred.load.continue241.3
  %1541 = phi <8 x double> [ %1533, %pred.load.continue241.3 ], [ %1540, %pred.load.if242.3 ]
  %1542 = extractelement <8 x i1> %1482, i64 7
  br i1 %1542, label %pred.load.if244.3, label %pred.load.continue245.3

pred.load.if244.3:                                ; preds = %pred.load.continue243.3
  %1543 = extractelement <8 x i64> %1483, i64 7
  %1544 = getelementptr double, ptr addrspace(1) %.3, i64 %1543
  %1545 = extractelement <8 x i64> %1485, i64 7
  %1546 = getelementptr double, ptr addrspace(1) %1544, i64 %1545
  %1547 = load double, ptr addrspace(1) %1546, align 8, !llvm.access.group !7
  %1548 = insertelement <8 x double> %1541, double %1547, i64 7
  br label %pred.load.continue245.3

pred.load.continue245.3:                          ; preds = %pred.load.if244.3, %pred.load.continue243.3
  %1549 = phi <8 x double> [ %1541, %pred.load.continue243.3 ], [ %1548, %pred.load.if244.3 ]
  %wide.masked.load.3 = tail call <8 x double> @llvm.masked.load.v8f64.p1(ptr addrspace(1) %1627, i32 8, <8 x i1> %1482, <8 x double> poison), !llvm.access.group !7
  %1550 = fadd <8 x double> %wide.masked.load.3, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  tail call void @llvm.masked.store.v8f64.p1(<8 x double> %1550, ptr addrspace(1) %1627, i32 8, <8 x i1> %1482), !llvm.access.group !7
  %1551 = fcmp ogt <8 x double> %.sroa.7423.0, <double 3.000000e+01, double 3.000000e+01, double 3.000000e+01, double 3.000000e+01, double 3.000000e+01, double 3.000000e+01, double 3.000000e+01, double 3.000000e+01>
  %1552 = xor <8 x i1> %1551, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %1553 = select <8 x i1> %1482, <8 x i1> %1552, <8 x i1> zeroinitializer
  %1554 = fadd <8 x double> %.sroa.7423.0, %1549
  %1555 = select <8 x i1> %1482, <8 x i1> %1551, <8 x i1> zeroinitializer
  %1556 = fmul <8 x double> %1549, <double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00>
  %1557 = fadd <8 x double> %.sroa.7423.0, %1556
  %1558 = extractelement <8 x i1> %1555, i64 0
  br i1 %1558, label %pred.store.if.3, label %pred.store.continue.3

pred.store.if.3:                                  ; preds = %pred.load.continue245.3
  %1559 = extractelement <8 x double> %1557, i64 0
  store double %1559, ptr addrspace(1) %1628, align 8, !llvm.access.group !7
  br label %pred.store.continue.3

pred.store.continue.3:                            ; preds = %pred.store.if.3, %pred.load.continue245.3
  %1560 = extractelement <8 x i1> %1555, i64 1
  br i1 %1560, label %pred.store.if246.3, label %pred.store.continue247.3

pred.store.if246.3:                               ; preds = %pred.store.continue.3
  %1561 = extractelement <8 x double> %1557, i64 1
  store double %1561, ptr addrspace(1) %1629, align 8, !llvm.access.group !7
  br label %pred.store.continue247.3

pred.store.continue247.3:                         ; preds = %pred.store.if246.3, %pred.store.continue.3
  %1562 = extractelement <8 x i1> %1555, i64 2
  br i1 %1562, label %pred.store.if248.3, label %pred.store.continue249.3

pred.store.if248.3:                               ; preds = %pred.store.continue247.3
  %1563 = extractelement <8 x double> %1557, i64 2
  store double %1563, ptr addrspace(1) %1630, align 8, !llvm.access.group !7
  br label %pred.store.continue249.3

pred.store.continue249.3:                         ; preds = %pred.store.if248.3, %pred.store.continue247.3
  %1564 = extractelement <8 x i1> %1555, i64 3
  br i1 %1564, label %pred.store.if250.3, label %pred.store.continue251.3

pred.store.if250.3:                               ; preds = %pred.store.continue249.3
  %1565 = extractelement <8 x double> %1557, i64 3
  store double %1565, ptr addrspace(1) %1631, align 8, !llvm.access.group !7
  br label %pred.store.continue251.3

pred.store.continue251.3:                         ; preds = %pred.store.if250.3, %pred.store.continue249.3
  %1566 = extractelement <8 x i1> %1555, i64 4
  br i1 %1566, label %pred.store.if252.3, label %pred.store.continue253.3

pred.store.if252.3:                               ; preds = %pred.store.continue251.3
  %1567 = extractelement <8 x double> %1557, i64 4
  store double %1567, ptr addrspace(1) %1632, align 8, !llvm.access.group !7
  br label %pred.store.continue253.3

pred.store.continue253.3:                         ; preds = %pred.store.if252.3, %pred.store.continue251.3
  %1568 = extractelement <8 x i1> %1555, i64 5
  br i1 %1568, label %pred.store.if254.3, label %pred.store.continue255.3

pred.store.if254.3:                               ; preds = %pred.store.continue253.3
  %1569 = extractelement <8 x double> %1557, i64 5
  store double %1569, ptr addrspace(1) %1633, align 8, !llvm.access.group !7
  br label %pred.store.continue255.3

pred.store.continue255.3:                         ; preds = %pred.store.if254.3, %pred.store.continue253.3
  %1570 = extractelement <8 x i1> %1555, i64 6
  br i1 %1570, label %pred.store.if256.3, label %pred.store.continue257.3

pred.store.if256.3:                               ; preds = %pred.store.continue255.3
  %1571 = extractelement <8 x double> %1557, i64 6
  store double %1571, ptr addrspace(1) %1634, align 8, !llvm.access.group !7
  br label %pred.store.continue257.3

pred.store.continue257.3:                         ; preds = %pred.store.if256.3, %pred.store.continue255.3
  %1572 = extractelement <8 x i1> %1555, i64 7
  br i1 %1572, label %pred.store.if258.3, label %pred.store.continue259.3

pred.store.if258.3:                               ; preds = %pred.store.continue257.3
  %1573 = extractelement <8 x double> %1557, i64 7
  store double %1573, ptr addrspace(1) %1635, align 8, !llvm.access.group !7
  br label %pred.store.continue259.3

pred.store.continue259.3:                         ; preds = %pred.store.if258.3, %pred.store.continue257.3
  %predphi.3 = select <8 x i1> %1553, <8 x double> %1554, <8 x double> %1557
  %1574 = icmp sgt <8 x i64> %1177, %broadcast.splat261
  %1575 = select <8 x i1> %1482, <8 x i1> %not.530, <8 x i1> zeroinitializer
  %1576 = select <8 x i1> %1575, <8 x i1> %949, <8 x i1> zeroinitializer
  %narrow394.3 = select <8 x i1> %1576, <8 x i1> %1574, <8 x i1> zeroinitializer
  %predphi262.3 = zext <8 x i1> %narrow394.3 to <8 x i8>
  %predphi263.3 = select <8 x i1> %1482, <8 x double> %predphi.3, <8 x double> %.sroa.7423.0
  %.sroa.7455.24.vec.expand = shufflevector <8 x i8> %predphi262.3, <8 x i8> poison, <16 x i32> <i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %.sroa.7455.24.vecblend = shufflevector <16 x i8> %.sroa.7455.16.vec.expand, <16 x i8> %.sroa.7455.24.vec.expand, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %1577 = or <16 x i8> %.sroa.7455.24.vecblend, %.sroa.0451.8.vecblend
  %1578 = shufflevector <16 x i8> %1577, <16 x i8> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %1579 = shufflevector <16 x i8> %1577, <16 x i8> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %1580 = or <8 x i8> %1579, %1578
  %1581 = shufflevector <8 x i8> %1580, <8 x i8> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %1582 = shufflevector <8 x i8> %1580, <8 x i8> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %1583 = or <4 x i8> %1582, %1581
  %1584 = shufflevector <4 x i8> %1583, <4 x i8> poison, <2 x i32> <i32 2, i32 3>
  %1585 = shufflevector <4 x i8> %1583, <4 x i8> poison, <2 x i32> <i32 0, i32 1>
  %1586 = or <2 x i8> %1585, %1584
  %1587 = shufflevector <2 x i8> %1586, <2 x i8> poison, <1 x i32> <i32 1>
  %1588 = shufflevector <2 x i8> %1586, <2 x i8> poison, <1 x i32> zeroinitializer
  %1589 = or <1 x i8> %1588, %1587
  %1590 = extractelement <1 x i8> %1589, i64 0
  tail call void @llvm.sideeffect()
  %1591 = icmp eq i8 %1590, 0
  br i1 %1591, label %region159.i.us, label %region157.i.us

region159.i.us:                                   ; preds = %pred.store.continue259.3, %pred.load.continue340.3
  %.sroa.0451.5 = phi <16 x i8> [ %.sroa.0451.3, %pred.load.continue340.3 ], [ %.sroa.0451.8.vecblend, %pred.store.continue259.3 ]
  %.sroa.7455.5 = phi <16 x i8> [ %.sroa.7455.3, %pred.load.continue340.3 ], [ %.sroa.7455.24.vecblend, %pred.store.continue259.3 ]
  %.sroa.7.0 = phi <8 x double> [ %predphi355.3, %pred.load.continue340.3 ], [ %predphi263.3, %pred.store.continue259.3 ]
  %.sroa.6.0 = phi <8 x double> [ %predphi355.2, %pred.load.continue340.3 ], [ %predphi263.2, %pred.store.continue259.3 ]
  %.sroa.5.0 = phi <8 x double> [ %predphi355.1, %pred.load.continue340.3 ], [ %predphi263.1, %pred.store.continue259.3 ]
  %.sroa.0.0 = phi <8 x double> [ %predphi355, %pred.load.continue340.3 ], [ %predphi263, %pred.store.continue259.3 ]
  tail call void @llvm.sideeffect()
  %invariant.gep31.us = getelementptr double, ptr addrspace(1) %.5, i64 %first33.us
  %predphi352 = select <8 x i1> %302, <8 x double> %.sroa.0.0, <8 x double> %predphi351
  %1592 = select <8 x i1> %366, <8 x double> %362, <8 x double> %predphi352
  store <8 x double> %1592, ptr addrspace(1) %invariant.gep31.us, align 8, !llvm.access.group !7
  %predphi352.1 = select <8 x i1> %573, <8 x double> %.sroa.5.0, <8 x double> %predphi351.1
  %1593 = select <8 x i1> %637, <8 x double> %633, <8 x double> %predphi352.1
  %1594 = getelementptr i8, ptr addrspace(1) %invariant.gep31.us, i64 64
  store <8 x double> %1593, ptr addrspace(1) %1594, align 8, !llvm.access.group !7
  %predphi352.2 = select <8 x i1> %844, <8 x double> %.sroa.6.0, <8 x double> %predphi351.2
  %1595 = select <8 x i1> %908, <8 x double> %904, <8 x double> %predphi352.2
  %1596 = getelementptr i8, ptr addrspace(1) %invariant.gep31.us, i64 128
  store <8 x double> %1595, ptr addrspace(1) %1596, align 8, !llvm.access.group !7
  %predphi352.3 = select <8 x i1> %1115, <8 x double> %.sroa.7.0, <8 x double> %predphi351.3
  %1597 = select <8 x i1> %1179, <8 x double> %1175, <8 x double> %predphi352.3
  %1598 = getelementptr i8, ptr addrspace(1) %invariant.gep31.us, i64 192
  store <8 x double> %1597, ptr addrspace(1) %1598, align 8, !llvm.access.group !7
  %1599 = add nuw nsw i64 %first33.us, 32
  %1600 = icmp ult i64 %1599, %17
  %indvar.next = add nuw nsw i64 %indvar, 1
  br i1 %1600, label %strip.us, label %rest.us

region157.i.preheader.us:                         ; preds = %pred.load.continue340.3
  %1601 = extractelement <8 x ptr addrspace(1)> %predphi343, i64 0
  %1602 = extractelement <8 x ptr addrspace(1)> %predphi343, i64 1
  %1603 = extractelement <8 x ptr addrspace(1)> %predphi343, i64 2
  %1604 = extractelement <8 x ptr addrspace(1)> %predphi343, i64 3
  %1605 = extractelement <8 x ptr addrspace(1)> %predphi343, i64 4
  %1606 = extractelement <8 x ptr addrspace(1)> %predphi343, i64 5
  %1607 = extractelement <8 x ptr addrspace(1)> %predphi343, i64 6
  %1608 = extractelement <8 x ptr addrspace(1)> %predphi343, i64 7
  %not.527 = xor <8 x i1> %367, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %1609 = getelementptr i8, ptr addrspace(1) %100, i64 64
  %1610 = extractelement <8 x ptr addrspace(1)> %predphi343.1, i64 0
  %1611 = extractelement <8 x ptr addrspace(1)> %predphi343.1, i64 1
  %1612 = extractelement <8 x ptr addrspace(1)> %predphi343.1, i64 2
  %1613 = extractelement <8 x ptr addrspace(1)> %predphi343.1, i64 3
  %1614 = extractelement <8 x ptr addrspace(1)> %predphi343.1, i64 4
  %1615 = extractelement <8 x ptr addrspace(1)> %predphi343.1, i64 5
  %1616 = extractelement <8 x ptr addrspace(1)> %predphi343.1, i64 6
  %1617 = extractelement <8 x ptr addrspace(1)> %predphi343.1, i64 7
  %not.528 = xor <8 x i1> %638, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %1618 = getelementptr i8, ptr addrspace(1) %100, i64 128
  %1619 = extractelement <8 x ptr addrspace(1)> %predphi343.2, i64 0
  %1620 = extractelement <8 x ptr addrspace(1)> %predphi343.2, i64 1
  %1621 = extractelement <8 x ptr addrspace(1)> %predphi343.2, i64 2
  %1622 = extractelement <8 x ptr addrspace(1)> %predphi343.2, i64 3
  %1623 = extractelement <8 x ptr addrspace(1)> %predphi343.2, i64 4
  %1624 = extractelement <8 x ptr addrspace(1)> %predphi343.2, i64 5
  %1625 = extractelement <8 x ptr addrspace(1)> %predphi343.2, i64 6
  %1626 = extractelement <8 x ptr addrspace(1)> %predphi343.2, i64 7
  %not.529 = xor <8 x i1> %909, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %1627 = getelementptr i8, ptr addrspace(1) %100, i64 192
  %1628 = extractelement <8 x ptr addrspace(1)> %predphi343.3, i64 0
  %1629 = extractelement <8 x ptr addrspace(1)> %predphi343.3, i64 1
  %1630 = extractelement <8 x ptr addrspace(1)> %predphi343.3, i64 2
  %1631 = extractelement <8 x ptr addrspace(1)> %predphi343.3, i64 3
  %1632 = extractelement <8 x ptr addrspace(1)> %predphi343.3, i64 4
  %1633 = extractelement <8 x ptr addrspace(1)> %predphi343.3, i64 5
  %1634 = extractelement <8 x ptr addrspace(1)> %predphi343.3, i64 6
  %1635 = extractelement <8 x ptr addrspace(1)> %predphi343.3, i64 7
  %not.530 = xor <8 x i1> %1180, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  br label %region157.i.us

next.loopexit.us:                                 ; preds = %next10.us
  %1636 = add nuw nsw i64 %id.us, 1
  %exitcond134.not = icmp eq i64 %1636, %end7
  br i1 %exitcond134.not, label %exit, label %items.us, !llvm.loop !8

k.exit.us.loopexit.unr-lcssa:                     ; preds = %B248.i.i.us.3, %B132.i.i.us.preheader395
  %s.4.i.1.i.us.lcssa.ph = phi double [ poison, %B132.i.i.us.preheader395 ], [ %s.4.i.1.i.us.3, %B248.i.i.us.3 ]
  %s.3.i.0.i.us.unr = phi double [ %.302.i.i.us37.peel124, %B132.i.i.us.preheader395 ], [ %s.4.i.1.i.us.3, %B248.i.i.us.3 ]
  %j.2.i.0.i.us.unr = phi i64 [ 5, %B132.i.i.us.preheader395 ], [ %.311.i.i.us.3, %B248.i.i.us.3 ]
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %k.exit.us, label %B132.i.i.us.epil

B132.i.i.us.epil:                                 ; preds = %k.exit.us.loopexit.unr-lcssa, %B248.i.i.us.epil
  %s.3.i.0.i.us.epil = phi double [ %s.4.i.1.i.us.epil, %B248.i.i.us.epil ], [ %s.3.i.0.i.us.unr, %k.exit.us.loopexit.unr-lcssa ]
  %j.2.i.0.i.us.epil = phi i64 [ %.311.i.i.us.epil, %B248.i.i.us.epil ], [ %j.2.i.0.i.us.unr, %k.exit.us.loopexit.unr-lcssa ]
  %epil.iter = phi i64 [ %epil.iter.next, %B248.i.i.us.epil ], [ 0, %k.exit.us.loopexit.unr-lcssa ]
  %.152.i.i.us.epil = add nsw i64 %j.2.i.0.i.us.epil, %n.3.i.1.i.us.fr141155168185199
  %.166.i.i.us.epil = icmp slt i64 %.152.i.i.us.epil, 0
  %.167.i.i.us.epil = select i1 %.166.i.i.us.epil, i64 %.4, i64 0
  %1637 = getelementptr double, ptr addrspace(1) %.3, i64 %.152.i.i.us.epil
  %.181.i.i.us.epil = getelementptr double, ptr addrspace(1) %1637, i64 %.167.i.i.us.epil
  %.182.i.i.us34.epil = load double, ptr addrspace(1) %.181.i.i.us.epil, align 8, !llvm.access.group !2
  %.216.i.i.us35.epil = load double, ptr addrspace(1) %.140.i.i.us142154169184200, align 8, !llvm.access.group !2
  %.218.i.i.us36.epil = fadd double %.216.i.i.us35.epil, 1.000000e+00
  store double %.218.i.i.us36.epil, ptr addrspace(1) %.140.i.i.us142154169184200, align 8, !llvm.access.group !2
  %.254.i.i.us.epil = fcmp ogt double %s.3.i.0.i.us.epil, 3.000000e+01
  br i1 %.254.i.i.us.epil, label %B210.i.i.us.epil, label %B238.i.i.us.epil

B238.i.i.us.epil:                                 ; preds = %B132.i.i.us.epil
  %.302.i.i.us37.epil = fadd double %s.3.i.0.i.us.epil, %.182.i.i.us34.epil
  br label %B248.i.i.us.epil

B210.i.i.us.epil:                                 ; preds = %B132.i.i.us.epil
  %.258.i.i.us.epil = fmul double %.182.i.i.us34.epil, 2.000000e+00
  %.262.i.i.us.epil = fadd double %s.3.i.0.i.us.epil, %.258.i.i.us.epil
  store double %.262.i.i.us.epil, ptr addrspace(1) %.297.i.i.us144152170183201, align 8, !llvm.access.group !2
  br label %B248.i.i.us.epil

B248.i.i.us.epil:                                 ; preds = %B210.i.i.us.epil, %B238.i.i.us.epil
  %s.4.i.1.i.us.epil = phi double [ %.262.i.i.us.epil, %B210.i.i.us.epil ], [ %.302.i.i.us37.epil, %B238.i.i.us.epil ]
  %.311.i.i.us.epil = add nuw nsw i64 %j.2.i.0.i.us.epil, 1
  %epil.iter.next = add i64 %epil.iter, 1
  %epil.iter.cmp.not = icmp eq i64 %epil.iter.next, %xtraiter
  br i1 %epil.iter.cmp.not, label %k.exit.us, label %B132.i.i.us.epil, !llvm.loop !9

k.exit.us:                                        ; preds = %k.exit.us.loopexit.unr-lcssa, %B248.i.i.us.epil, %B132.i.i.us.preheader, %B248.i.i.us.peel107, %B248.i.i.us.peel128, %B108.i.i.split.us.us
  %.297.i.i.us145 = phi ptr addrspace(1) [ %.297.i.i.us, %B108.i.i.split.us.us ], [ %.297.i.i.us, %B132.i.i.us.preheader ], [ %.297.i.i.us144152170183201, %B248.i.i.us.peel107 ], [ %.297.i.i.us144152170183201, %B248.i.i.us.peel128 ], [ %.297.i.i.us144152170183201, %B248.i.i.us.epil ], [ %.297.i.i.us144152170183201, %k.exit.us.loopexit.unr-lcssa ]
  %.us-phi.us = phi double [ %.302.i.i.us.us, %B108.i.i.split.us.us ], [ %.302.i.i.us37.peel, %B132.i.i.us.preheader ], [ %.302.i.i.us37.peel103, %B248.i.i.us.peel107 ], [ %.302.i.i.us37.peel124, %B248.i.i.us.peel128 ], [ %s.4.i.1.i.us.lcssa.ph, %k.exit.us.loopexit.unr-lcssa ], [ %s.4.i.1.i.us.epil, %B248.i.i.us.epil ]
  store double %.us-phi.us, ptr addrspace(1) %.297.i.i.us145, align 8, !llvm.access.group !2
  %1638 = add nuw nsw i64 %id14.us, 1
  %1639 = icmp ult i64 %1638, %end
  br i1 %1639, label %items12.us, label %next10.us, !llvm.loop !11

B108.i.i.split.us.us:                             ; preds = %B108.i.i.us
  %1640 = getelementptr double, ptr addrspace(1) %.3, i64 %.95.i.i.us
  %.182.i.i.us.us = load double, ptr addrspace(1) %1640, align 8, !llvm.access.group !2
  %.218.i.i.us.us = fadd double %.141.i.i.us, 1.000000e+00
  store double %.218.i.i.us.us, ptr addrspace(1) %.140.i.i.us, align 8, !llvm.access.group !2
  %.302.i.i.us.us = fadd double %.182.i.i.us.us, 0.000000e+00
  br label %k.exit.us

exit:                                             ; preds = %next.loopexit.us, %items.preheader, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.sideeffect() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <8 x double> @llvm.masked.load.v8f64.p1(ptr addrspace(1) nocapture, i32 immarg, <8 x i1>, <8 x double>) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v8f64.p1(<8 x double>, ptr addrspace(1) nocapture, i32 immarg, <8 x i1>) #4

attributes #0 = { nofree norecurse nosync nounwind "min-legal-vector-width"="512" "prefer-vector-width"="512" "target-cpu"="sapphirerapids" "target-features"="+prfchw,+cldemote,+avx,+aes,+sahf,+pclmul,-xop,+crc32,+xsaves,+avx512fp16,-usermsr,-sm4,-egpr,+sse4.1,+avx512ifma,+xsave,+sse4.2,+tsxldtrk,-sm3,-ptwrite,-widekl,+invpcid,+64bit,+xsavec,-avx10.1-512,+avx512vpopcntdq,+cmov,-avx512vp2intersect,+avx512cd,+movbe,-avxvnniint8,-ccmp,+amx-int8,-kl,-avx10.1-256,+evex512,+avxvnni,-rtm,+adx,+avx2,-hreset,+movdiri,+serialize,-sha512,+vpclmulqdq,+avx512vl,-uintr,-cf,+clflushopt,-raoint,-cmpccxadd,+bmi,+amx-tile,+sse,+gfni,-avxvnniint16,-amx-fp16,-ndd,+xsaveopt,+rdrnd,+avx512f,+amx-bf16,+avx512bf16,+avx512vnni,-push2pop2,+cx8,+avx512bw,+sse3,+pku,+fsgsbase,-clzero,-mwaitx,-lwp,+lzcnt,+sha,+movdir64b,-ppx,+wbnoinvd,-enqcmd,-avxneconvert,-tbm,-pconfig,-amx-complex,+ssse3,+cx16,+bmi2,+fma,+popcnt,-avxifma,+f16c,+avx512bitalg,-rdpru,+clwb,+mmx,+sse2,+rdseed,+avx512vbmi2,-prefetchi,+rdpid,-fma4,+avx512vbmi,+shstk,+vaes,-waitpkg,-sgx,+fxsr,+avx512dq,-sse4a,+prefer-no-gather,+prefer-no-scatter" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #4 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }

!0 = !{}
!1 = !{i64 0, i64 -9223372036854775808}
!2 = distinct !{}
!3 = distinct !{!3, !4}
!4 = !{!"llvm.loop.peeled.count", i32 5}
!5 = distinct !{!5, !6}
!6 = !{!"llvm.loop.parallel_accesses", !2}
!7 = distinct !{}
!8 = distinct !{!8, !6}
!9 = distinct !{!9, !10}
!10 = !{!"llvm.loop.unroll.disable"}
!11 = distinct !{!11, !6}
